// Keeps the page's view the newest one: whole views arrive as HTML and are folded into the page.
// Others listen: "before" and "news" on the view are sent around each change, "beat" with the server's time.
import { morph } from "/static/morph.js";
import { liven } from "/static/live.js";

const SILENCE_MS = 2500; // the server sends a sign of life every second
const view = document.getElementById("view");
const stale = document.getElementById("stale");
let source = null;
let heard = performance.now();
let gap = 0; // the longest silence since then
let lost = false; // no word from the server
let told = stale.textContent; // what the server itself says is old

function banner() {
  const text = lost ? stale.dataset.lost : told;
  if (stale.textContent !== text) stale.textContent = text;
  stale.hidden = !text;
}

function alive() {
  gap = Math.max(gap, performance.now() - heard);
  heard = performance.now();
  lost = false;
  banner();
}

function emit(name, detail) {
  view.dispatchEvent(new CustomEvent(name, { detail }));
}

function show(message) {
  const news = JSON.parse(message.data);
  told = news.stale ?? "";
  alive();
  emit("before");
  const touched = morph(view, new DOMParser().parseFromString(news.html, "text/html").body);
  view.dataset.seen = message.lastEventId;
  liven();
  emit("news", { gap, seq: message.lastEventId, touched });
  gap = 0;
}

function connect() {
  source?.close();
  source = new EventSource(view.dataset.stream);
  source.onmessage = show;
  source.addEventListener("beat", (message) => {
    alive();
    emit("beat", JSON.parse(message.data));
  });
}

function watch() {
  if (performance.now() - heard < SILENCE_MS) return;
  lost = true;
  banner();
  // A browser gives up after an error page; a tablet that slept may hold a dead line.
  if (performance.now() - heard > 2 * SILENCE_MS || source.readyState === EventSource.CLOSED) {
    gap = Math.max(gap, performance.now() - heard);
    heard = performance.now() - SILENCE_MS;
    connect();
  }
}

connect();
liven();
setInterval(watch, 500);
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && performance.now() - heard > SILENCE_MS) connect();
});

// Keeps the page's view the newest one: whole views arrive as HTML and are folded into the page.
import { morph } from "/static/morph.js";
import { liven } from "/static/live.js";

const SILENCE_MS = 2500; // the server sends a sign of life every second
const view = document.getElementById("view");
const stale = document.getElementById("stale");
let source = null;
let heard = performance.now();
let lost = false;

function alive() {
  heard = performance.now();
  if (!lost) return;
  lost = false;
  stale.hidden = true;
}

function show(message) {
  alive();
  const next = new DOMParser().parseFromString(JSON.parse(message.data).html, "text/html").body;
  morph(view, next);
  liven();
  document.dispatchEvent(new CustomEvent("feltside:view"));
}

function connect() {
  source?.close();
  source = new EventSource(view.dataset.stream);
  source.onmessage = show;
  source.addEventListener("beat", alive);
}

function watch() {
  if (performance.now() - heard < SILENCE_MS) return;
  if (!lost) {
    lost = true;
    stale.textContent = "No word from the table: what you see may be old. Trying again.";
    stale.hidden = false;
  }
  // A browser gives up after an error page; a tablet that slept may hold a dead line.
  if (performance.now() - heard > 2 * SILENCE_MS || source.readyState === EventSource.CLOSED) {
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

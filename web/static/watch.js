// Keeps the spectators' screen the newest one. Chances may take the server seconds to work out, so a sign of life is
// asked for beside them: a screen that hears none says that it is old.
import { morph } from "/static/morph.js";

const AGAIN_MS = 2000, BEAT_MS = 1000, SILENCE_MS = 2500;
const view = document.getElementById("view");
const stale = document.getElementById("stale");
let heard = performance.now();

async function look() {
  try {
    const answer = await fetch(location.pathname, { cache: "no-store" });
    if (!answer.ok) throw new Error("no page");
    morph(view, new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("view"));
  } catch {
    // The next one may come; whether anybody answers at all is told below.
  }
  setTimeout(look, AGAIN_MS);
}

async function beat() {
  const asked = performance.now();
  try {
    const answer = await fetch("/api/state", { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(SILENCE_MS) });
    if (answer.ok) heard = asked;
  } catch {
    // Said by `watch`.
  }
  setTimeout(beat, BEAT_MS);
}

function watch() {
  const lost = performance.now() - heard >= SILENCE_MS;
  const text = lost ? stale.dataset.lost : "";
  if (stale.textContent !== text) stale.textContent = text;
  stale.hidden = !lost;
}

setTimeout(look, AGAIN_MS);
beat();
setInterval(watch, 500);

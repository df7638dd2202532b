// Small switches for whoever stands before this screen: sounds, voice, the whole screen, staying awake.
import { hush, sound, speak, want, wants } from "/static/calls.js";

const bar = document.getElementById("comfort");
let lock = null;

function show() {
  for (const key of bar.querySelectorAll("[data-wish]")) key.setAttribute("aria-pressed", String(wants(key.dataset.wish)));
  const full = bar.querySelector("[data-do=full]");
  full.hidden = !document.fullscreenEnabled;
  full.setAttribute("aria-pressed", String(Boolean(document.fullscreenElement)));
}

// Only pages from https or from this very machine may hold the screen awake by the proper way; elsewhere a
// small silent moving picture does it in most browsers.
async function awake() {
  if ("wakeLock" in navigator && !lock) {
    try {
      lock = await navigator.wakeLock.request("screen");
      lock.addEventListener("release", () => (lock = null));
      return;
    } catch {
      lock = null;
    }
  }
  if (!document.getElementById("awake")) {
    const film = document.createElement("video");
    Object.assign(film, { id: "awake", muted: true, loop: true, playsInline: true, src: "/static/awake.webm" });
    film.setAttribute("aria-hidden", "true");
    document.body.append(film);
    film.play().catch(() => film.remove());
  }
}

bar.addEventListener("click", (event) => {
  const key = event.target.closest("button");
  if (!key) return;
  if (key.dataset.wish) {
    want(key.dataset.wish, !wants(key.dataset.wish));
    if (!wants(key.dataset.wish)) hush();
    else if (key.dataset.wish === "sound") sound("lock");
    else speak(key.getAttribute("aria-label"));
  }
  if (key.dataset.do === "full") document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen();
  show();
});
document.addEventListener("fullscreenchange", show);
document.addEventListener("pointerdown", awake, { once: true });
document.addEventListener("visibilitychange", () => !document.hidden && navigator.userActivation?.hasBeenActive && awake());
show();

// Keeps live pictures moving: the next one is asked for when the last has arrived, and only while it is seen.

const PAUSE_MS = 600;
const moving = new WeakSet();

function next(picture) {
  if (!picture.isConnected) return moving.delete(picture);
  if (document.hidden) return setTimeout(next, PAUSE_MS, picture);
  const fresh = new Image();
  const again = () => setTimeout(next, PAUSE_MS, picture);
  fresh.onload = () => {
    picture.src = fresh.src;
    picture.classList.remove("missing");
    again();
  };
  fresh.onerror = () => {
    picture.classList.add("missing");
    again();
  };
  fresh.src = `${picture.dataset.live}?${Date.now()}`;
}

export function liven() {
  for (const picture of document.querySelectorAll("img[data-live]")) {
    if (moving.has(picture)) continue;
    moving.add(picture);
    next(picture);
  }
}

// The scoreboard's own life: the reveal, the clock of the round, sounds and calls.
import { isReveal, moment, play, snapshot } from "/static/reveal.js";
import { known, tell } from "/static/calls.js";

const LONG_AGO = 30_000; // a reveal that happened while nobody looked is not played afterwards
const view = document.getElementById("view");
const played = new Set(JSON.parse(sessionStorage.getItem("feltside.revealed") ?? "[]"));
let was = null;
let ahead = 0; // the server's time of day less this page's own running clock, in ms

function keep(round) {
  played.add(round);
  sessionStorage.setItem("feltside.revealed", JSON.stringify([...played].slice(-50)));
}

function clock() {
  for (const face of view.querySelectorAll(".clock[data-opened]")) {
    const { opened, closed } = face.dataset;
    if (!closed && !ahead) continue;
    const until = closed ? Date.parse(closed) : ahead + performance.now();
    const s = Math.max(0, Math.floor((until - Date.parse(opened)) / 1000));
    const text = `${Math.floor(s / 60)}:${String(s % 60).padStart(2, "0")}`;
    if (face.textContent !== text) face.textContent = text;
  }
}

view.addEventListener("before", () => (was = snapshot(view)));
view.addEventListener("news", ({ detail }) => {
  const round = view.querySelector(".board")?.dataset.round;
  const looking = detail.gap < LONG_AGO && !document.hidden;
  let when = null;
  if (isReveal(was, view)) when = looking && !played.has(round) ? play(view, was) : null;
  else if (looking) when = moment(view, was, detail.touched);
  if (view.querySelector('.board[data-revealed="yes"]')) keep(round);
  // A reveal taken back by the table may be played again.
  if (view.querySelector('.board[data-revealed="no"]')) played.delete(round);
  tell(view, { gap: detail.gap, when });
  clock();
});
view.addEventListener("beat", ({ detail }) => {
  ahead = detail.now - performance.now();
});
known(view);
setInterval(clock, 250);

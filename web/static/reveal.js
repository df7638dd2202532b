// The reveal as a moment: predictions turn over in queue order, then the truth, then the runs light up one by
// one, points fly to the scores, the winner. The page always holds the true end state; all of this only delays
// when each part is seen (animations that fill backwards), so whatever interrupts it leaves the truth standing.
// Games of turns have smaller moments, one a step: `moment`.

const FLIP = 700, HOLD = 350, TRUTH = 750, RUNS = 3000, RUN = 420, VERDICT = 200, FLY = 650, STEP = 450, LAUREL = 4200;
const calm = matchMedia("(prefers-reduced-motion: reduce)");
let playing = [];
let overlays = [];

export function snapshot(view) {
  const board = view.querySelector(".board");
  if (!board) return null;
  const lanes = [...board.querySelectorAll(".lane")].map((lane) => [
    lane.id,
    {
      score: lane.querySelector(".score")?.textContent,
      bar: lane.querySelector(".done")?.getAttribute("width"),
      won: lane.classList.contains("won"),
    },
  ]);
  return { match: board.dataset.match, round: board.dataset.round, revealed: board.dataset.revealed, lanes: new Map(lanes) };
}

export function isReveal(was, view) {
  const board = view.querySelector(".board");
  return was && board && was.round === board.dataset.round && was.revealed === "no" && board.dataset.revealed === "yes";
}

export function skip() {
  for (const one of playing) one.finish();
  playing = [];
  for (const node of overlays) node.remove();
  overlays = [];
}

function later(node, frames, delay, duration, easing = "ease-out") {
  if (node) playing.push(node.animate(frames, { delay, duration, easing, fill: "backwards" }));
}

const appear = (node, at, ms = 260) => later(node, [{ opacity: 0 }, { opacity: 1 }], at, ms);
const pop = (node, at) =>
  later(node, [{ opacity: 0, transform: "scale(.3)" }, { opacity: 1, transform: "scale(1.18)", offset: 0.7 }, { transform: "scale(1)" }], at, 420);

function turn(card, at) {
  if (!card) return;
  const final = getComputedStyle(card).color;
  const back = { color: "transparent", backgroundImage: "repeating-linear-gradient(45deg, #8883 0 6px, transparent 6px 12px)" };
  const front = { color: final, backgroundImage: "none" };
  later(card, [
    { ...back, transform: "rotateX(0) scale(1)" },
    { ...back, transform: "rotateX(90deg) scale(1.25)", offset: 0.45 },
    { ...front, transform: "rotateX(90deg) scale(1.25)", offset: 0.46 },
    { ...front, transform: "rotateX(0) scale(1)" },
  ], at, FLIP - 80, "ease-in-out");
}

// What flies or stays behind lies above the page, in nobody's way.
function ghost(node, text) {
  const box = node.getBoundingClientRect();
  const copy = node.cloneNode(true);
  if (text !== undefined) copy.textContent = text;
  const look = getComputedStyle(node);
  for (const part of ["color", "backgroundColor", "fontSize", "fontWeight", "fontFamily", "letterSpacing", "lineHeight", "textAlign", "borderRadius", "padding", "fontVariantNumeric"]) {
    copy.style[part] = look[part];
  }
  Object.assign(copy.style, { position: "fixed", left: `${box.left}px`, top: `${box.top}px`, width: `${box.width}px`, height: `${box.height}px`, margin: 0, zIndex: 5, pointerEvents: "none", boxSizing: "border-box" });
  copy.setAttribute("aria-hidden", "true");
  copy.removeAttribute("id");
  document.body.append(copy);
  overlays.push(copy);
  return copy;
}

function drop(copy, at) {
  const gone = copy.animate([{}, {}], { duration: Math.max(1, at) });
  playing.push(gone);
  gone.onfinish = () => copy.remove();
}

function fly(lane, old, at) {
  const score = lane.querySelector(".score");
  const won = lane.querySelector(".won-now:not(.nothing)");
  const arrived = at + FLY;
  if (score && old && old.score !== score.textContent) {
    drop(ghost(score, old.score), arrived);
    later(score, [{ opacity: 0 }, { opacity: 1, transform: "scale(1.16)", offset: 0.3 }, { transform: "scale(1)" }], arrived, 480);
  }
  if (won && score) {
    const from = won.getBoundingClientRect(), to = score.getBoundingClientRect();
    const x = to.left + to.width / 2 - from.left - from.width / 2, y = to.top + to.height / 2 - from.top - from.height / 2;
    const copy = ghost(won);
    playing.push(copy.animate([
      { opacity: 0, transform: "none" }, { opacity: 1, transform: "none", offset: 0.05 },
      { opacity: 1, transform: `translate(${x}px, ${y}px) scale(1.35)`, offset: 0.85 },
      { opacity: 0, transform: `translate(${x}px, ${y}px) scale(.4)` },
    ], { delay: at, duration: FLY, easing: "ease-in", fill: "both" }));
    drop(copy, arrived + 20);
  }
  const bar = lane.querySelector(".done");
  if (bar && old?.bar) later(bar, [{ width: `${old.bar}px` }, { width: `${bar.getAttribute("width")}px` }], arrived, 600);
}

// Returns when each part is seen, in ms from now: what is said aloud keeps step with it.
export function play(view, was) {
  skip();
  if (calm.matches) return { turns: [], truth: 0, runs: [], verdict: 0, end: 0 };
  const board = view.querySelector(".board");
  const lanes = [...board.querySelectorAll(".lane[data-order]")].sort((a, b) => a.dataset.order - b.dataset.order);
  const when = { turns: [], runs: [] };
  let at = 350;
  for (const lane of lanes) {
    turn(lane.querySelector(".said"), at);
    when.turns.push(at + FLIP / 2);
    at += FLIP;
  }
  at += HOLD;
  when.truth = at;
  if (!winners(board, was).length) appear(board.querySelector("#headline"), at);
  pop(board.querySelector(".truth p"), at);
  appear(board.querySelector(".truth .button"), at + TRUTH);
  appear(board.querySelector(".drawn .dim"), at, TRUTH);
  at += TRUTH;
  const runs = [...board.querySelectorAll(".drawn .run:not(.badge)")], badges = [...board.querySelectorAll(".drawn .run.badge")];
  const step = Math.min(RUN, RUNS / Math.max(1, runs.length));
  runs.forEach((run, n) => {
    appear(run, at, step);
    appear(badges[n], at, step);
    for (const tile of board.querySelectorAll(`.tile[data-runs~="${n + 1}"] polygon`)) later(tile, [{ strokeOpacity: 0 }, { strokeOpacity: 1 }], at, step);
    when.runs.push(at);
    at += step;
  });
  at += HOLD;
  when.verdict = at;
  for (const lane of lanes) {
    pop(lane.querySelector(".deed .icon"), at);
    appear(lane.querySelector(".why"), at);
    pop(lane.querySelector(".won-now"), at);
    at += VERDICT;
  }
  at += HOLD;
  for (const lane of lanes) fly(lane, was.lanes.get(lane.id), at);
  at += FLY + 400;
  when.end = at;
  // Who has won is not told before the points have arrived.
  if (winners(board, was).length) appear(board.querySelector("#headline"), at);
  for (const lane of board.querySelectorAll(".lane.won, .lane.leads")) later(lane, [{ borderColor: "transparent" }, {}], at, 500);
  for (const crown of board.querySelectorAll(".name .icon")) pop(crown, at);
  crowned(board, was, at);
  return when;
}

const winners = (board, was) =>
  [...board.querySelectorAll(".lane.won")].filter((lane) => was.lanes.get(lane.id) && !was.lanes.get(lane.id).won);

// The winner, large, for as long as it takes to clap; below it the page stands as it is.
function crowned(board, was, at) {
  const fresh = winners(board, was);
  if (!fresh.length) return;
  const laurel = document.createElement("div");
  laurel.className = "laurel";
  laurel.setAttribute("aria-hidden", "true");
  for (const lane of fresh) laurel.append(lane.querySelector(".name").cloneNode(true));
  const why = document.createElement("p");
  why.textContent = board.querySelector("#headline").textContent;
  laurel.append(why);
  document.body.append(laurel);
  overlays.push(laurel);
  const shown = laurel.animate([
    { opacity: 0 }, { opacity: 1, offset: 0.08 }, { opacity: 1, offset: 0.85 }, { opacity: 0 },
  ], { delay: at, duration: LAUREL, fill: "both" });
  playing.push(shown);
  shown.onfinish = () => laurel.remove();
  pop(laurel.querySelector(".icon"), at + 150);
}

// A step of any game: what came onto the board appears, what it brought flies to the score, a winner is crowned.
export function moment(view, was, touched) {
  skip();
  const board = view.querySelector(".board");
  if (calm.matches || !was || !board || was.match !== board.dataset.match) return null;
  const tray = board.querySelector(".tray"), space = tray?.getBoundingClientRect();
  const small = touched.filter((node) => tray?.contains(node) && !node.closest("details, .queue, .eye, .gamefoot, .live")).filter((node) => {
    const box = node.getBoundingClientRect();
    return box.width && box.width * box.height < 0.2 * space.width * space.height;
  });
  for (const node of small.slice(0, 12)) appear(node, 0, STEP);
  let at = small.length ? STEP : 0;
  const gains = [...board.querySelectorAll(".lane")].filter((lane) => was.lanes.get(lane.id)?.score !== lane.querySelector(".score")?.textContent);
  for (const lane of gains) gain(lane, was.lanes.get(lane.id), (small[0] ?? tray)?.getBoundingClientRect() ?? space, at);
  if (gains.length) at += FLY + 400;
  crowned(board, was, at);
  return { turns: [], truth: 0, runs: [], verdict: at, end: at };
}

function gain(lane, old, from, at) {
  const score = lane.querySelector(".score"), won = Number(score.textContent) - Number(old?.score);
  if (!old || !from || !Number.isFinite(won)) return;
  drop(ghost(score, old.score), at + FLY);
  later(score, [{ opacity: 0 }, { opacity: 1, transform: "scale(1.16)", offset: 0.3 }, { transform: "scale(1)" }], at + FLY, 480);
  const chip = document.createElement("span");
  chip.className = "won-now flying";
  chip.textContent = won > 0 ? `+${won}` : `−${-won}`;
  chip.setAttribute("aria-hidden", "true");
  document.body.append(chip);
  overlays.push(chip);
  const to = score.getBoundingClientRect(), box = chip.getBoundingClientRect();
  const place = (r) => `translate(${r.left + (r.width - box.width) / 2}px, ${r.top + (r.height - box.height) / 2}px)`;
  const path = won > 0 ? [from, to] : [to, from];
  const flight = chip.animate([
    { opacity: 0, transform: `${place(path[0])} scale(.6)` }, { opacity: 1, transform: `${place(path[0])} scale(1.3)`, offset: 0.25 },
    { opacity: 1, transform: `${place(path[1])} scale(1.3)`, offset: 0.85 }, { opacity: 0, transform: `${place(path[1])} scale(.4)` },
  ], { delay: at, duration: FLY, easing: "ease-in", fill: "both" });
  playing.push(flight);
  flight.onfinish = () => chip.remove();
  const bar = lane.querySelector(".done");
  if (bar && old.bar) later(bar, [{ width: `${old.bar}px` }, { width: `${bar.getAttribute("width")}px` }], at + FLY, 600);
}

for (const kind of ["pointerdown", "keydown", "resize"]) addEventListener(kind, skip);

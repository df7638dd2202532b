// Keeps live pictures moving: the next one is asked for when the last has arrived, and only while it is seen.
// On the table's page what the eye thinks comes inside the picture (a JPEG comment), so that both are of the
// same instant, and is drawn over it.

import { part } from "/static/parts.js";
import { pointing } from "/static/corners.js";

const PAUSE_MS = 600;
const OLD_MS = 3000; // a picture older than this is no live picture
const LEAST_PX = 11; // of a letter on the screen
const LETTERS_PX = 15; // a tile at least this high has room for its symbol
const ROOM_PX = 30; // a tile at least this high has room for its certainty too
const MARGIN = 1.08; // felt's share of the view when it is large
const CLOSEST = 4;
const moving = new WeakSet();
const shown = new WeakMap(); // picture -> { number, since, age, thought }

function comment(bytes) {
  // Start of image, then a comment: FF D8, FF FE, length, text.
  if (bytes.length < 6 || bytes[2] !== 0xff || bytes[3] !== 0xfe) return null;
  const end = 4 + bytes[4] * 256 + bytes[5];
  try {
    return JSON.parse(new TextDecoder().decode(bytes.subarray(6, end)));
  } catch {
    return null;
  }
}

function pairs(flat) {
  return flat.reduce((text, value, n) => text + value + (n % 2 ? " " : ","), "");
}

// The shortest beginnings by which the colours in this picture can be told apart: R, B, but BL and BR.
function letters(thought, words) {
  const names = [...new Set(thought.tiles.map((tile) => tile.colour).filter(Boolean))];
  const said = new Map(names.map((name) => [name, (words.colour[name] ?? name).toUpperCase()]));
  const short = (text, length) => text.slice(0, length);
  return new Map(
    names.map((name) => {
      const own = said.get(name);
      let length = 1;
      const clashes = () => names.some((other) => other !== name && short(said.get(other), length) === short(own, length));
      while (length < own.length && clashes()) length += 1;
      return [name, short(own, length)];
    }),
  );
}

function tile(one, scale, letter) {
  const xs = one.corners.filter((_, n) => n % 2 === 0);
  const ys = one.corners.filter((_, n) => n % 2 === 1);
  const [x, y] = [xs, ys].map((all) => all.reduce((a, b) => a + b, 0) / 4);
  const height = Math.max(...ys) - Math.min(...ys);
  const size = Math.max(height * 0.34, LEAST_PX / scale);
  const group = part("g", { class: one.sure ? "sure" : "unsure" });
  group.append(part("polygon", { points: pairs(one.corners) }));
  const symbol = one.symbol === "down" ? "–" : one.symbol;
  const text = `${symbol}${letter}${one.sure ? "" : "?"}`;
  const top = Math.min(...ys);
  // Where letters would cover their neighbours, only the doubtful ones are told; the others when it is large.
  if (!one.sure || height * scale >= LETTERS_PX) {
    group.append(part("text", { x, y: top + size * 0.45, "font-size": size }, text));
  }
  if (height * scale >= ROOM_PX) {
    group.append(part("text", { x, y: Math.max(...ys) - size * 0.1, "font-size": size * 0.8, class: "percent" }, one.percent));
  }
  return group;
}

function piece(one, scale, text) {
  const [x, y] = one.centre;
  const size = Math.max(12, LEAST_PX / scale);
  const group = part("g", { class: one.sure ? "sure" : "unsure" });
  if (one.corners?.length) group.append(part("polygon", { points: pairs(one.corners) }));
  group.append(part("text", { x, y: y - size * 1.1, "font-size": size * 1.1 }, `${text}${one.sure ? "" : "?"}`));
  return group;
}

// What a place of a mat holds, told by a sign: counters filled or not, pawns by their player's number.
const SIGNS = { dark: "●", light: "○", first: "1", second: "2" };

function place(one, scale) {
  const [x, y] = one.centre;
  const size = Math.max(10, LEAST_PX / scale);
  const group = part("g", { class: one.sure ? "sure" : "unsure" });
  group.append(part("circle", { cx: x, cy: y, r: size * 0.75 }));
  group.append(part("text", { x, y: y + size * 0.35, "font-size": size }, `${SIGNS[one.holds] ?? ""}${one.sure ? "" : "?"}`));
  return group;
}

// Something lies there, or may, that was not read: a person must look.
function unread(corners, scale) {
  const [xs, ys] = [0, 1].map((first) => corners.filter((_, n) => n % 2 === first));
  const x = xs.reduce((a, b) => a + b, 0) / xs.length;
  const size = Math.max(12, LEAST_PX / scale);
  const group = part("g", { class: "unsure unread" });
  group.append(part("polygon", { points: pairs(corners) }));
  group.append(part("text", { x, y: Math.min(...ys) - size * 0.2, "font-size": size }, "?"));
  return group;
}

// A large view is of the felt, not of the table around it: picture and marks are moved and stretched alike.
function closer(box, thought) {
  let [scale, x, y] = [1, 0, 0];
  if (box.classList.contains("large") && !box.classList.contains("pointing") && thought?.tray) {
    const [width, height] = thought.size;
    const xs = thought.tray.filter((_, n) => n % 2 === 0);
    const ys = thought.tray.filter((_, n) => n % 2 === 1);
    const [left, right, top, low] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const share = Math.max((right - left) / width, (low - top) / height) * MARGIN;
    scale = Math.min(CLOSEST, Math.max(1, 1 / share));
    x = (50 - ((left + right) / 2 / width) * 100) * scale;
    y = (50 - ((top + low) / 2 / height) * 100) * scale;
  }
  const how = scale === 1 ? "" : `translate(${x}%, ${y}%) scale(${scale})`;
  for (const node of box.querySelectorAll("img, svg.thought")) node.style.transform = how;
  return scale;
}

function draw(box, thought) {
  const layer = box.querySelector("svg");
  const words = JSON.parse(box.dataset.words);
  layer.replaceChildren();
  const near = closer(box, thought);
  if (!thought?.size || !box.classList.contains("with-eye")) return;
  const [width, height] = thought.size;
  layer.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const scale = near * Math.min(layer.clientWidth / width, layer.clientHeight / height) || 1;
  if (thought.tray) {
    const busy = thought.status === "busy" ? "unsure" : "";
    layer.append(part("polygon", { points: pairs(thought.tray), class: `tray ${busy}` }));
  }
  for (const one of thought.printed ?? []) layer.append(part("polygon", { points: pairs(one), class: "printed" }));
  const letter = letters({ tiles: thought.tiles ?? [] }, words);
  for (const one of thought.tiles ?? []) layer.append(tile(one, scale, letter.get(one.colour) ?? ""));
  for (const one of thought.dice ?? []) layer.append(piece(one, scale, `${one.value} ${one.percent}`));
  for (const one of thought.unread ?? []) layer.append(unread(one, scale));
  for (const one of thought.places ?? []) layer.append(place(one, scale));
  for (const one of thought.disks ?? []) layer.append(piece(one, scale, `#${one.value} ${one.percent}`));
}

function told(box, thought) {
  const out = box.parentElement.querySelector(".eye-said");
  const words = JSON.parse(box.dataset.words);
  const lines = [];
  if (thought?.status) {
    const problems = (thought.problems ?? []).map((name) => words.problem[name] ?? name);
    const light = thought.status === "no-tray" && words.light[thought.problems?.find((name) => words.light[name])];
    lines.push(`${words.eye}: ${light || (words.status[thought.status] ?? thought.status)}${problems.length ? ` (${problems.join(", ")})` : ""}`);
  }
  for (const one of (thought?.tiles ?? []).filter((each) => !each.sure).slice(0, 6)) {
    const place = words.place.replace("{row}", one.row + 1).replace("{column}", one.column + 1);
    const likely = one.likely.map(([symbol, percent]) => `${symbol === "down" ? words.down : symbol} ${percent} %`);
    lines.push(`${place}: ${likely.join(", ")}`);
  }
  if (thought?.printed?.length) lines.push(words.printed.replace("{count}", thought.printed.length));
  const outcomes = thought?.told ?? [];
  // What was just shown here is answered here: a banner may be far above.
  lines.push(...outcomes.map((what) => words.told[what]).filter(Boolean));
  if (thought?.unread?.length && !outcomes.includes("felt-pieces")) lines.push(words.unread);
  const text = lines.join("\n");
  if (out && out.textContent !== text) out.textContent = text;
}

function age(picture) {
  const known = shown.get(picture);
  const old = known !== undefined && known.age + performance.now() - known.since > OLD_MS;
  const mark = picture.closest(".live")?.querySelector(".old");
  if (mark) mark.hidden = !old;
}

async function take(picture) {
  const answer = await fetch(picture.dataset.live, { cache: "no-store" });
  if (!answer.ok) throw new Error("no picture");
  const bytes = new Uint8Array(await answer.arrayBuffer());
  shown.set(picture, { since: performance.now(), age: Number(answer.headers.get("X-Age-Ms") ?? 0) });
  const address = URL.createObjectURL(new Blob([bytes], { type: "image/jpeg" }));
  const before = picture.src;
  picture.src = address;
  await picture.decode();
  if (before.startsWith("blob:")) URL.revokeObjectURL(before);
  picture.classList.remove("missing");
  const box = picture.closest(".live");
  if (!box?.dataset.words) return;
  const thought = comment(bytes);
  shown.get(picture).thought = thought;
  draw(box, thought);
  told(box, thought);
}

// Newer browsers keep the boxes of what is folded away: these say so when they are asked.
function visible(picture) {
  return picture.checkVisibility?.() ?? picture.getClientRects().length > 0;
}

async function next(picture) {
  if (!picture.isConnected) return moving.delete(picture);
  if (!document.hidden && visible(picture)) {
    try {
      await take(picture);
    } catch {
      if (!shown.has(picture)) picture.classList.add("missing");
    }
    age(picture);
  }
  setTimeout(next, PAUSE_MS, picture);
}

// A form that a button under the picture shows, until it is sent or left.
function unfolding(key, form) {
  if (!key || !form) return;
  const turn = (on) => {
    form.hidden = !on;
    key.setAttribute("aria-expanded", String(on));
    if (on) form.scrollIntoView({ block: "nearest" });
    else key.focus();
  };
  key.addEventListener("click", () => turn(form.hidden));
  form.querySelector("[data-leave]").addEventListener("click", () => turn(false));
  form.addEventListener("sent", () => turn(false));
  form.addEventListener("keydown", (event) => event.key === "Escape" && turn(false));
}

function keys(box) {
  const own = box.parentElement;
  const remember = (name, value) => {
    try {
      localStorage.setItem(name, value);
    } catch {
      // A browser that keeps nothing forgets the switch too.
    }
  };
  const recall = (name) => {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  };
  const redraw = () => draw(box, shown.get(box.querySelector("img"))?.thought);
  const eye = own.querySelector("[data-eye]");
  const large = own.querySelector("[data-large]");
  eye.checked = recall("eye") !== "off";
  box.classList.toggle("with-eye", eye.checked);
  eye.addEventListener("change", () => {
    box.classList.toggle("with-eye", eye.checked);
    remember("eye", eye.checked ? "on" : "off");
    redraw();
  });
  large.addEventListener("click", () => {
    const on = large.getAttribute("aria-pressed") !== "true";
    large.setAttribute("aria-pressed", String(on));
    box.classList.toggle("large", on);
    redraw();
  });
  unfolding(own.querySelector("[data-felt]"), own.querySelector(".felt-form"));
  pointing(box, () => shown.get(box.querySelector("img"))?.thought, redraw);
}

export function liven() {
  for (const picture of document.querySelectorAll("img[data-live]")) {
    if (moving.has(picture)) continue;
    moving.add(picture);
    const box = picture.closest(".live");
    if (box?.dataset.words) keys(box);
    next(picture);
  }
}

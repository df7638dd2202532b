// A phone as pad: one big field a disk, felt and heard, and a lock-in without leaving the page.
import { send } from "/static/acts.js";

const FELT = { 1: [35], 2: [35, 70, 35], 4: [35, 60, 35, 60, 35, 60, 35] }; // a disk is felt as its dots
const LOCKED = [60, 50, 200], REFUSED = [350];

function sum(pad) {
  const disks = [...pad.querySelectorAll("input[name=disk]:checked")];
  return disks.reduce((total, box) => total + Number(box.value), 0);
}

document.addEventListener("change", (event) => {
  const pad = event.target.closest(".phonepad");
  if (!pad) return;
  const total = sum(pad);
  const { none, one, many } = pad.dataset;
  pad.querySelector("output").textContent = total === 0 ? none : total === 1 ? one : many.replace("@", total);
  navigator.vibrate?.(event.target.checked ? FELT[event.target.value] : 15);
});

document.addEventListener("submit", async (event) => {
  const pad = event.target;
  if (!pad.classList.contains("phonepad")) return;
  event.preventDefault();
  const button = pad.querySelector("button");
  button.disabled = true; // one press, one lock-in; a second would only be refused
  const done = await send(pad, event.submitter);
  button.disabled = false;
  navigator.vibrate?.(done ? LOCKED : REFUSED);
});

// A phone as pad: shows the sum, buzzes, and sends the lock-in without leaving the page.
import { send } from "/static/acts.js";

document.addEventListener("change", (event) => {
  const pad = event.target.closest(".phonepad");
  if (!pad) return;
  const sum = [...pad.querySelectorAll("input[name=disk]:checked")].reduce((n, box) => n + Number(box.value), 0);
  pad.querySelector("output").textContent = sum === 1 ? "1 run" : `${sum} runs`;
  navigator.vibrate?.(20);
});

document.addEventListener("submit", async (event) => {
  const pad = event.target;
  if (!pad.classList.contains("phonepad")) return;
  event.preventDefault();
  const button = pad.querySelector("button");
  button.disabled = true; // one press, one lock-in; a second would only be refused
  const done = await send(pad, event.submitter);
  button.disabled = false;
  navigator.vibrate?.(done ? [40, 40, 40] : 200);
});

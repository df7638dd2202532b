// The round page: tap a run to see and hear it, keep the evidence as a picture, print it.
import { hush, speak, wants } from "/static/calls.js";
import { picture } from "/static/share.js";

const view = document.getElementById("view");
let shown = "";

// The run that was tapped stays bright, the others step back; tapped again, all are shown.
function light() {
  const svg = view.querySelector(".drawn");
  if (!svg) return;
  for (const run of svg.querySelectorAll(".run")) run.classList.toggle("rest", shown !== "" && run.dataset.run !== shown);
  for (const tile of svg.querySelectorAll(".tile")) tile.classList.toggle("lit", shown !== "" && (tile.dataset.runs ?? "").split(" ").includes(shown));
  for (const key of view.querySelectorAll(".run-key")) key.setAttribute("aria-pressed", String(key.dataset.run === shown));
}

function choose(number) {
  shown = shown === number ? "" : number;
  light();
  hush();
  const key = view.querySelector(`.run-key[data-run="${shown}"]`);
  if (key && wants("voice")) speak(key.textContent.replace(/\s+/g, " ").trim(), { over: true });
}

async function share() {
  const name = `${view.querySelector(".round").dataset.name}.png`;
  const file = new File([await picture(view)], name, { type: "image/png" });
  if (navigator.canShare?.({ files: [file] })) {
    await navigator.share({ files: [file] }).catch(() => {});
    return;
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

view.addEventListener("click", (event) => {
  const run = event.target.closest(".run-key, .drawn .run");
  if (run) return choose(run.dataset.run);
  const key = event.target.closest("[data-do]");
  if (key?.dataset.do === "print") print();
  if (key?.dataset.do === "picture") share();
});
view.addEventListener("news", light);

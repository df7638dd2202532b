// Sends the table's forms without leaving the page, and shows the sentence of every refusal.

const notice = document.getElementById("notice");
let hide = 0;

export function say(sentence) {
  clearTimeout(hide);
  notice.textContent = sentence;
  notice.hidden = !sentence;
  if (sentence) hide = setTimeout(say, 8000, "");
}

export async function send(form, submitter) {
  const fields = new URLSearchParams(new FormData(form));
  if (submitter?.name) fields.set(submitter.name, submitter.value);
  try {
    const answer = await fetch(form.action, {
      method: "POST",
      body: fields,
      headers: { Accept: "application/json" },
    });
    const told = await answer.json();
    say(told.sentence ?? told.error ?? "");
    return answer.ok;
  } catch {
    say(notice.dataset.lost);
    return false;
  }
}

// A simulated pad shows what was pressed on this screen; in wells a disk stays where it was laid.
function press(form, key) {
  if (!key.classList.contains("disk-key")) return;
  const down = key.getAttribute("aria-pressed") !== "true";
  key.setAttribute("aria-pressed", String(down));
  if (form.dataset.pad === "wells") form.elements.closed.value = down ? "yes" : "no";
}

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.classList.contains("act")) return;
  event.preventDefault();
  if (form.dataset.pad && event.submitter) {
    form.elements.closed.value = "tap";
    press(form, event.submitter);
  }
  const done = await send(form, event.submitter);
  if (!done) return;
  if (!form.dataset.pad) form.reset();
  form.dispatchEvent(new CustomEvent("sent"));
  if (form.elements.back && location.search.includes("tile=")) location.assign(form.elements.back.value);
});

// Players of earlier evenings sit down, and get up again, by one tap on their name.
function seats() {
  return [...(document.querySelector("details.game[open] .names")?.querySelectorAll("input") ?? [])];
}

function guests() {
  const sitting = seats().map((seat) => seat.value.trim());
  for (const key of document.querySelectorAll("[data-guest]")) key.setAttribute("aria-pressed", String(sitting.includes(key.dataset.guest)));
}

document.addEventListener("click", (event) => {
  const key = event.target.closest?.("[data-guest]");
  if (!key) return;
  const taken = seats().find((seat) => seat.value.trim() === key.dataset.guest);
  const free = seats().find((seat) => !seat.value.trim());
  if (taken) taken.value = "";
  else if (free) free.value = key.dataset.guest;
  guests();
});
document.addEventListener("input", guests);
document.addEventListener("toggle", guests, true);
document.getElementById("view").addEventListener("news", guests);
guests();

document.addEventListener("toggle", () => say(""), true);

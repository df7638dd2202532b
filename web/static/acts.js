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
  if (form.elements.back && location.search.includes("tile=")) location.assign(form.elements.back.value);
});

document.addEventListener("toggle", () => say(""), true);

// The board every two seconds; a board that does not answer says so over what is old.
"use strict";
const board = document.getElementById("board"), old = document.getElementById("old");
async function look() {
  try {
    const answer = await fetch("/board", { cache: "no-store", signal: AbortSignal.timeout(5000) });
    if (!answer.ok) throw new Error(answer.status);
    const html = await answer.text();
    if (html !== board.dataset.html) { board.innerHTML = html; board.dataset.html = html; }
    old.hidden = true;
  } catch { old.hidden = false; }
  setTimeout(look, 2000);
}
setTimeout(look, 2000);

// Sounds and spoken calls. Each call has a key and is said once, also after a lost connection; either can be off.

const KEPT = 60;
const spoken = new Set(JSON.parse(sessionStorage.getItem("feltside.said") ?? "[]"));
let audio = null;
let waiting = [];

export const wants = (what) => localStorage.getItem(`feltside.${what}`) !== "off";
export const want = (what, on) => localStorage.setItem(`feltside.${what}`, on ? "on" : "off");

// Browsers let nobody make a sound before the page was touched once.
const allowed = () => navigator.userActivation?.hasBeenActive ?? true;

function note(hz, at, ms, loud = 0.16, shape = "sine") {
  const start = audio.currentTime + at / 1000;
  const tone = new OscillatorNode(audio, { frequency: hz, type: shape });
  const volume = new GainNode(audio, { gain: 0 });
  volume.gain.setValueAtTime(0, start);
  volume.gain.linearRampToValueAtTime(loud, start + 0.012);
  volume.gain.exponentialRampToValueAtTime(0.0005, start + ms / 1000);
  tone.connect(volume).connect(audio.destination);
  tone.start(start);
  tone.stop(start + ms / 1000 + 0.05);
}

const SOUNDS = {
  open: () => (note(392, 0, 160), note(523, 130, 260)),
  lock: () => (note(220, 0, 90, 0.2, "triangle"), note(660, 60, 130)),
  in: () => (note(523, 0, 120), note(659, 110, 120), note(784, 220, 240)),
  move: () => note(330, 0, 120, 0.12, "triangle"),
  back: () => (note(440, 0, 160), note(330, 150, 260)),
  doubt: () => (note(440, 0, 180), note(415, 200, 320)),
  turn: () => note(180, 0, 70, 0.2, "triangle"),
  run: (n) => note(523 * 2 ** ([0, 2, 4, 7, 9, 12][n % 6] / 12), 0, 260),
  result: () => (note(392, 0, 200), note(523, 120, 200), note(659, 240, 420)),
  over: () => [523, 659, 784, 1047].forEach((hz, n) => note(hz, 140 * n, 500)),
};

export function sound(kind, n = 0) {
  if (!wants("sound") || !allowed()) return;
  audio ??= new AudioContext();
  if (audio.state === "suspended") audio.resume();
  SOUNDS[kind]?.(n);
}

export function speak(text, { over = false } = {}) {
  if (!("speechSynthesis" in window) || !allowed()) return;
  if (over) speechSynthesis.cancel();
  const said = new SpeechSynthesisUtterance(text);
  said.lang = document.documentElement.lang;
  said.rate = 1.05;
  speechSynthesis.speak(said);
}

export function hush() {
  for (const one of waiting) clearTimeout(one);
  waiting = [];
  window.speechSynthesis?.cancel();
}

function keep(key) {
  spoken.add(key);
  sessionStorage.setItem("feltside.said", JSON.stringify([...spoken].slice(-KEPT)));
}

function listed(view) {
  return [...view.querySelectorAll("#calls li")].map((li) => ({ ...li.dataset, text: li.textContent }));
}

// What was there when the page came is not news.
export function known(view) {
  for (const call of listed(view)) keep(call.key);
}

// Says what is new: after a silence only the last of it. Returns what was said, for tests and for the log.
export function tell(view, { gap = 0, when = null } = {}) {
  const fresh = listed(view).filter((call) => !spoken.has(call.key));
  for (const call of fresh) keep(call.key);
  const said = gap > 5000 ? fresh.slice(-1) : fresh;
  for (const call of said) {
    const corrects = call.kind === "result" || call.kind === "move";
    const again = corrects && [...spoken].some((key) => key !== call.key && key.startsWith(call.about));
    const text = again ? `${document.getElementById("comfort")?.dataset.corrected ?? ""} ${call.text}`.trim() : call.text;
    const delay = call.kind === "over" ? when?.end ?? 0 : call.kind === "result" ? when?.truth ?? 0 : 0;
    document.dispatchEvent(new CustomEvent("call", { detail: { ...call, text } }));
    waiting.push(setTimeout(() => {
      sound(call.kind);
      if (wants("voice")) speak(text);
    }, delay));
  }
  if (when) {
    when.turns.forEach((at) => waiting.push(setTimeout(sound, at, "turn")));
    when.runs.forEach((at, n) => waiting.push(setTimeout(sound, at, "run", n)));
  }
  return said;
}

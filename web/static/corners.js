// Where the eye cannot find the tray, people show its corners: four rings over the live picture, each put on its corner
// by dragging it, by a tap nearby or by the arrow keys. What is sent are shares of the picture's width and height.
import { part } from "/static/parts.js";

const RING_PX = 15; // on the screen
const REACH_PX = 26; // a finger is no needle
const GLASS_PX = 120;
const NEARER = 3;
const STEP_PX = 1; // of an arrow key, on the screen
const FAR_PX = 10; // with Shift
const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const INSET = [[0.15, 0.15], [0.85, 0.15], [0.85, 0.85], [0.15, 0.85]];

// Where the eye takes the tray to be, else somewhere in the picture, top left first.
function begin(thought, [width, height]) {
  const seen = thought?.tray?.length === 8 ? thought.tray : null;
  const clamp = (value, most) => Math.min(Math.max(value, 0), most);
  return INSET.map(([x, y], n) =>
    seen ? [clamp(seen[2 * n], width), clamp(seen[2 * n + 1], height)] : [x * width, y * height],
  );
}

export function pointing(box, thoughtNow, redraw) {
  const own = box.parentElement;
  const key = own.querySelector("[data-corners]");
  const form = own.querySelector(".corners-form");
  if (!key || !form) return;
  const names = JSON.parse(box.dataset.words).corners;
  const layer = part("svg", { class: "rings" });
  const glass = document.createElement("div");
  glass.className = "glass";
  glass.hidden = true;
  const picture = box.querySelector("img");
  let [size, points, held] = [[4, 3], [], null];

  const scale = () => 1 / (layer.getScreenCTM()?.a || 1); // of the picture's pixels to the screen's
  const at = (event) => {
    const here = new DOMPoint(event.clientX, event.clientY).matrixTransform(layer.getScreenCTM().inverse());
    return [here.x, here.y];
  };

  function draw() {
    const [outline, ...rings] = layer.children;
    outline.setAttribute("points", points.map((point) => point.join(",")).join(" "));
    rings.forEach((ring, n) => {
      ring.setAttribute("transform", `translate(${points[n][0]} ${points[n][1]}) scale(${scale()})`);
      const [x, y] = points[n].map((value, k) => Math.round((100 * value) / size[k]));
      ring.setAttribute("aria-valuenow", x);
      ring.setAttribute("aria-valuetext", `${x} % → ${y} % ↓`);
    });
    form.elements.at.value = points.map(([x, y]) => `${(x / size[0]).toFixed(5)},${(y / size[1]).toFixed(5)}`).join(" ");
  }

  function put(n, [x, y]) {
    points[n] = [Math.min(Math.max(x, 0), size[0]), Math.min(Math.max(y, 0), size[1])];
    draw();
  }

  // A finger hides what it points at: a glass beside it shows that nearer.
  function look(n) {
    const room = layer.getBoundingClientRect();
    const [x, y] = points[n].map((value) => value / scale());
    const drawn = [size[0] / scale(), size[1] / scale()];
    const [left, top] = [(room.width - drawn[0]) / 2, (room.height - drawn[1]) / 2];
    glass.style.backgroundImage = `url("${picture.src}")`;
    glass.style.backgroundSize = `${drawn[0] * NEARER}px ${drawn[1] * NEARER}px`;
    glass.style.backgroundPosition = `${GLASS_PX / 2 - x * NEARER}px ${GLASS_PX / 2 - y * NEARER}px`;
    const right = left + x < room.width / 2;
    glass.style.left = right ? "auto" : "0";
    glass.style.right = right ? "0" : "auto";
    glass.style.top = top + y < room.height / 2 ? "auto" : "0";
    glass.style.bottom = top + y < room.height / 2 ? "0" : "auto";
    glass.hidden = false;
  }

  function show() {
    const thought = thoughtNow();
    size = thought?.size ?? [picture.naturalWidth || 4, picture.naturalHeight || 3];
    points = begin(thought, size);
    layer.setAttribute("viewBox", `0 0 ${size[0]} ${size[1]}`);
    layer.replaceChildren(part("polygon", { points: "" }));
    names.forEach((name, n) => {
      const ring = part("g", { tabindex: "0", role: "slider", "aria-label": `${n + 1}: ${name}`, "aria-valuemin": 0, "aria-valuemax": 100 });
      ring.append(part("circle", { class: "reach", r: REACH_PX }), part("circle", { r: RING_PX }));
      ring.append(part("path", { d: "M-5 0H5M0 -5V5" }), part("text", { x: 0, y: -RING_PX - 5 }, String(n + 1)));
      ring.addEventListener("keydown", (event) => {
        const step = KEYS[event.key];
        if (!step) return;
        event.preventDefault();
        const far = (event.shiftKey ? FAR_PX : STEP_PX) * scale();
        put(n, [points[n][0] + step[0] * far, points[n][1] + step[1] * far]);
      });
      layer.append(ring);
    });
    draw();
  }

  function turn(on) {
    if (on && !thoughtNow()?.size && !picture.naturalWidth) return; // no picture to point at yet
    box.classList.toggle("pointing", on);
    key.setAttribute("aria-expanded", String(on));
    form.hidden = !on;
    glass.hidden = true;
    redraw(); // the picture as it is: nothing of it is cut away
    if (on) box.append(layer, glass);
    else [layer, glass].forEach((node) => node.remove());
    if (!on) return key.focus();
    show();
    layer.children[1].focus({ preventScroll: true });
    own.scrollIntoView({ block: "nearest" }); // the picture and what to do with it
  }

  layer.addEventListener("pointerdown", (event) => {
    const here = at(event);
    const away = points.map((point) => Math.hypot(point[0] - here[0], point[1] - here[1]));
    held = away.indexOf(Math.min(...away));
    layer.children[held + 1].focus();
    layer.setPointerCapture(event.pointerId);
    put(held, here);
    look(held);
    event.preventDefault();
  });
  layer.addEventListener("pointermove", (event) => {
    if (held === null) return;
    put(held, at(event));
    look(held);
  });
  for (const end of ["pointerup", "pointercancel"]) {
    layer.addEventListener(end, () => {
      held = null;
      glass.hidden = true;
    });
  }
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !form.hidden && box.isConnected) turn(false);
  });
  key.addEventListener("click", () => turn(form.hidden));
  form.querySelector("[data-leave]").addEventListener("click", () => turn(false));
  form.addEventListener("sent", () => turn(false));
  window.addEventListener("resize", () => points.length && !form.hidden && draw());
}

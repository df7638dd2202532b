// Draws a round's evidence as one picture: the page's own SVG, shape by shape, and who said what beside it.
// Drawn by hand and not through a picture of the SVG, because our content policy lets no made-up picture in.

const WIDTH = 1600, EDGE = 48, LINE = 74;

function loaded(address) {
  return new Promise((done, failed) => {
    const image = new Image();
    image.onload = () => done(image);
    image.onerror = () => failed(new Error(`no picture at ${address}`));
    image.src = address;
  });
}

const number = (node, name) => Number(node.getAttribute(name) ?? 0);

function trace(pen, node) {
  pen.beginPath();
  if (node.localName === "polygon") {
    const points = node.getAttribute("points").trim().split(/\s+/).map((pair) => pair.split(",").map(Number));
    points.forEach(([x, y], n) => (n ? pen.lineTo(x, y) : pen.moveTo(x, y)));
    pen.closePath();
  } else if (node.localName === "circle") {
    pen.arc(number(node, "cx"), number(node, "cy"), number(node, "r"), 0, 2 * Math.PI);
  } else if (node.localName === "line") {
    pen.moveTo(number(node, "x1"), number(node, "y1"));
    pen.lineTo(number(node, "x2"), number(node, "y2"));
  }
}

function shape(pen, node) {
  const look = getComputedStyle(node);
  pen.globalAlpha = Number(look.opacity);
  if (node.localName === "text") {
    pen.fillStyle = look.fill;
    pen.font = `${look.fontWeight} ${node.getAttribute("font-size")}px ${look.fontFamily}`;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.fillText(node.textContent, number(node, "x"), number(node, "y"));
    return;
  }
  trace(pen, node);
  if (look.fill !== "none" && node.localName !== "line") {
    pen.fillStyle = look.fill;
    pen.fill();
  }
  if (look.stroke !== "none") {
    pen.strokeStyle = look.stroke;
    pen.lineWidth = parseFloat(look.strokeWidth) || 1;
    pen.lineCap = look.strokeLinecap;
    pen.setLineDash(look.strokeDasharray === "none" ? [] : look.strokeDasharray.split(/[ ,]+/).map(parseFloat));
    pen.stroke();
  }
}

// The photograph darkened but for the tiles in runs, as the page shows it.
function dim(pen, svg, box) {
  if (!svg.querySelector(".dim")) return;
  pen.globalAlpha = 1;
  pen.fillStyle = "rgb(6 18 14 / 42%)";
  pen.beginPath();
  pen.rect(box.x, box.y, box.width, box.height);
  for (const hole of svg.querySelectorAll(".tile.in-run polygon")) {
    const points = hole.getAttribute("points").trim().split(/\s+/).map((pair) => pair.split(",").map(Number));
    points.forEach(([x, y], n) => (n ? pen.lineTo(x, y) : pen.moveTo(x, y)));
    pen.closePath();
  }
  pen.fill("evenodd");
}

export async function picture(view) {
  const svg = view.querySelector(".drawn");
  const box = svg.viewBox.baseVal;
  const claims = [...view.querySelectorAll(".claims > li")];
  const scale = (WIDTH - 2 * EDGE) / box.width;
  const top = EDGE + 120, tall = box.height * scale;
  const paper = document.createElement("canvas");
  paper.width = WIDTH;
  paper.height = Math.ceil(top + tall + EDGE + claims.length * LINE + EDGE);
  const pen = paper.getContext("2d");
  const look = getComputedStyle(document.body), font = look.fontFamily;
  pen.fillStyle = look.backgroundColor;
  pen.fillRect(0, 0, paper.width, paper.height);
  pen.fillStyle = look.color;
  pen.font = `700 52px ${font}`;
  pen.fillText(view.querySelector("#headline").textContent, EDGE, EDGE + 48);
  pen.font = `400 28px ${font}`;
  pen.fillText(view.querySelector(".match-line").textContent, EDGE, EDGE + 94);
  pen.save();
  pen.beginPath();
  pen.rect(EDGE, top, WIDTH - 2 * EDGE, tall);
  pen.clip();
  pen.translate(EDGE - box.x * scale, top - box.y * scale);
  pen.scale(scale, scale);
  for (const image of svg.querySelectorAll("image")) {
    pen.drawImage(await loaded(image.getAttribute("href")), 0, 0, number(image, "width"), number(image, "height"));
  }
  dim(pen, svg, box);
  for (const node of svg.querySelectorAll("polygon, line, circle, text")) {
    if (!node.closest("mask")) shape(pen, node);
  }
  pen.restore();
  claims.forEach((claim, n) => {
    const y = top + tall + EDGE + n * LINE + 40;
    const right = claim.classList.contains("right");
    pen.fillStyle = look.color;
    pen.font = `700 36px ${font}`;
    pen.fillText(`${right ? "✓" : "✗"} ${claim.querySelector(".said").textContent}`, EDGE, y);
    pen.fillText(claim.querySelector("b").textContent, EDGE + 130, y);
    pen.font = `400 28px ${font}`;
    pen.fillText(claim.querySelectorAll("p")[1].textContent, EDGE + 460, y);
    pen.font = `700 40px ${font}`;
    pen.textAlign = "right";
    pen.fillText(claim.querySelector(".sum").textContent, WIDTH - EDGE, y);
    pen.textAlign = "left";
  });
  return new Promise((done) => paper.toBlob(done, "image/png"));
}

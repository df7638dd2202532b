// Changes a part of the page into a newer one and leaves alone what did not change or is being filled in.

const OWN = { DETAILS: ["open"], IMG: ["src"] }; // attributes that belong to the person or to a script here

let touched = []; // elements that came or changed what they say

function sameKind(one, other) {
  return one.nodeType === other.nodeType && one.nodeName === other.nodeName && (one.id || "") === (other.id || "");
}

function attributes(from, to) {
  const own = from.nodeName === "IMG" && !from.dataset.live ? [] : OWN[from.nodeName] ?? [];
  const kept = from.dataset?.keep ? [...own, from.dataset.keep] : own;
  for (const { name } of [...from.attributes]) {
    if (!to.hasAttribute(name) && !kept.includes(name)) from.removeAttribute(name);
  }
  for (const { name, value } of to.attributes) {
    if (!kept.includes(name) && from.getAttribute(name) !== value) from.setAttribute(name, value);
  }
}

function children(from, to) {
  const byId = new Map([...from.children].filter((node) => node.id).map((node) => [node.id, node]));
  let at = from.firstChild;
  for (const next of [...to.childNodes]) {
    const known = next.id && byId.get(next.id);
    if (known && known.nodeName === next.nodeName) {
      if (known !== at) from.insertBefore(known, at);
      else at = at.nextSibling;
      change(known, next);
    } else if (at && sameKind(at, next)) {
      const here = at;
      at = at.nextSibling;
      change(here, next);
    } else {
      const fresh = document.importNode(next, true);
      from.insertBefore(fresh, at);
      if (fresh.nodeType === Node.ELEMENT_NODE) touched.push(fresh);
      else if (fresh.nodeValue.trim()) touched.push(from);
    }
  }
  while (at) {
    const gone = at;
    at = at.nextSibling;
    gone.remove();
  }
}

function change(from, to) {
  if (from.isEqualNode(to)) return;
  // What a script keeps up to date itself is not undone by the server's blank of it.
  if (from.dataset?.own !== undefined && to.dataset?.own !== undefined) return;
  if (from.nodeType !== Node.ELEMENT_NODE) {
    if (from.nodeValue !== to.nodeValue) {
      from.nodeValue = to.nodeValue;
      if (from.parentElement) touched.push(from.parentElement);
    }
    return;
  }
  attributes(from, to);
  children(from, to);
}

// Returns the elements that came or changed what they say, for whoever wants to show that they did.
export function morph(view, next) {
  touched = [];
  children(view, next);
  return touched.filter((node) => node.isConnected);
}

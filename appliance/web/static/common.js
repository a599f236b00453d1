// What every part of the script needs: the way up to the first page, and drawing.

/** Return an address of the appliance as seen from this page. */
export const rooted = (address) => document.documentElement.dataset.root + address;

let catalogue = null;

/** Return a text of the page's catalogue (templates/words.html) with its {values} put in. */
export function say(name, values = {}) {
  catalogue ??= JSON.parse(document.getElementById("words")?.textContent || "{}");
  return (catalogue[name] ?? name).replace(/\{(\w+)\}/g, (whole, key) => values[key] ?? whole);
}

/** Return a new SVG element with these attributes. */
export function svg(name, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

/** Put a view on a drawing: its image, its frame, its boxes. `mode` is "crop" or "whole".
 *
 * The light picture comes first; where the screen shows more than it holds, the large one takes its place
 * once it is there. With `drawn` the server has drawn it: it is only sharpened.
 */
export function draw(sheet, view, mode, title, drawn = false) {
  const frame = mode === "crop" ? view.crop : [0, 0, view.width, view.height];
  if (!drawn) {
    sheet.setAttribute("viewBox", frame.join(" "));
    sheet.setAttribute("aria-label", title);
    const size = { width: view.width, height: view.height };
    const parts = [svg("rect", { class: "paper", ...size })];
    const image = view.small || view.image;
    if (image) parts.push(svg("image", { href: rooted(image), preserveAspectRatio: "none", ...size }));
    for (const name of ["faint", "strong"]) {
      for (const [x, y, width, height] of view[name]) parts.push(svg("rect", { class: name, x, y, width, height, rx: 2 }));
    }
    sheet.replaceChildren(...parts);
  }
  if (view.image && view.image !== view.small) sharpen(sheet, view, frame[2]);
}

const SMALL = 720; // pixels across the light picture

/** Bring in the large picture where the drawing is wider, in pixels of the screen, than the light one. */
function sharpen(sheet, view, across) {
  replace(sheet, rooted(view.image), view.width / across);
}

/** Bring in the large picture of a whole page where the screen shows more than the light one holds. */
export function setupPage(image) {
  if (!image || image.clientWidth * devicePixelRatio < SMALL * 1.1) return;
  const large = new Image();
  large.addEventListener("load", () => { image.src = large.src; }, { once: true });
  large.src = image.dataset.large;
}

/** Do something to each element, once, when it comes into sight. */
function onSight(elements, act) {
  const seen = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      seen.unobserve(target);
      act(target);
    }
  }, { rootMargin: "200px" });
  for (const element of elements) seen.observe(element);
}

/** Sharpen the drawings among the text when they come into sight. */
export function setupDrawings(sheets) {
  onSight(sheets, (sheet) => {
    const whole = Number(sheet.querySelector("image")?.getAttribute("width"));
    replace(sheet, sheet.dataset.large, whole / sheet.viewBox.baseVal.width);
  });
}

/** Bring the column that decides into a table that is wider than the screen. */
export function setupTables(frames) {
  onSight(frames, (frame) => {
    const ends = [...frame.querySelectorAll(".decides")].map((cell) => cell.getBoundingClientRect().right);
    if (ends.length) frame.scrollLeft += Math.max(0, Math.min(...ends) - frame.getBoundingClientRect().right);
  });
}

function replace(sheet, address, enlarged) {
  const image = sheet.querySelector("image");
  if (!image || sheet.getBoundingClientRect().width * devicePixelRatio * enlarged < SMALL * 1.1) return;
  const large = new Image();
  large.addEventListener("load", () => image.isConnected && image.setAttribute("href", large.src), { once: true });
  large.src = address;
}

// The page large, over everything: pinch or tap to come nearer, keys + and -, pages turn, Escape or Back closes.
import { draw, say, svg } from "./common.js";

const NEAR = 2.2; // times the width of the window, by a tap
const READABLE = 1.8; // on a phone at least: print of 10 points is then 11 pixels high
const MOST = 5;
const PHONE = 700; // CSS pixels of a window on which a whole page is too small to read

/** Open a dialog when `link` is tapped. `current()` tells the view and its title. */
export function setupZoom(link, current) {
  const { dialog, stage, sheet, said, close, nearer, farther } = build();
  const state = { scale: 1, pinch: null };

  const refresh = () => {
    const { view, title } = current();
    said.textContent = "";
    draw(sheet, view, "whole", title);
    dialog.setAttribute("aria-label", title);
  };

  /** Bring the page to a scale; the point at (x, y) of the window stays where it is. */
  function scaleTo(scale, x = innerWidth / 2, y = innerHeight / 2) {
    const before = sheet.getBoundingClientRect();
    const at = [(x - before.left) / before.width, (y - before.top) / before.height];
    state.scale = Math.min(MOST, Math.max(1, scale));
    sheet.style.width = state.scale > 1 ? `${state.scale * 100}%` : ""; // the object model, not markup: the policy allows it
    sheet.style.maxWidth = state.scale > 1 ? "none" : "";
    stage.classList.toggle("near", state.scale > 1);
    const now = sheet.getBoundingClientRect();
    stage.scrollLeft += now.left + at[0] * now.width - x;
    stage.scrollTop += now.top + at[1] * now.height - y;
  }

  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    refresh();
    dialog.showModal();
    history.pushState({ zoom: true }, ""); // Back closes the picture, not the page under it
    const { view } = current();
    scaleTo(innerWidth < PHONE ? Math.max(READABLE, Math.min(NEAR, view.width / view.crop[2])) : 1);
    const boxed = sheet.querySelector(".strong") ?? sheet.querySelector(".faint");
    const wide = boxed?.getBoundingClientRect().width > innerWidth;
    boxed?.scrollIntoView({ block: "center", inline: wide ? "start" : "end" }); // with as much as may be of what names it
  });
  sheet.addEventListener("click", (event) => scaleTo(state.scale > 1 ? 1 : NEAR, event.clientX, event.clientY));
  nearer.addEventListener("click", () => scaleTo(state.scale * 1.5));
  farther.addEventListener("click", () => scaleTo(state.scale / 1.5));
  dialog.addEventListener("keydown", (event) => {
    if (event.key === "+" || event.key === "=") scaleTo(state.scale * 1.5);
    else if (event.key === "-") scaleTo(state.scale / 1.5);
  });
  stage.addEventListener("touchstart", (event) => {
    if (event.touches.length === 2) state.pinch = { apart: apart(event.touches), scale: state.scale };
  }, { passive: true });
  stage.addEventListener("touchmove", (event) => {
    if (!state.pinch || event.touches.length !== 2) return;
    event.preventDefault();
    const [one, other] = event.touches;
    scaleTo((state.pinch.scale * apart(event.touches)) / state.pinch.apart, (one.clientX + other.clientX) / 2, (one.clientY + other.clientY) / 2);
  }, { passive: false });
  stage.addEventListener("touchend", () => { state.pinch = null; }, { passive: true });
  stage.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return; // a pinch of a touchpad comes as a wheel with Ctrl
    event.preventDefault();
    scaleTo(state.scale * Math.exp(-event.deltaY / 200), event.clientX, event.clientY);
  }, { passive: false });
  close.addEventListener("click", () => dialog.close());
  setupBack(dialog);
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog || event.target === stage) dialog.close();
  });
  return { refresh: () => dialog.open && refresh(), told: (words) => { said.textContent = words; } };
}

/** Let Back close the dialog; closed otherwise, it takes its step of the history away again. */
function setupBack(dialog) {
  if (history.state?.zoom) history.back(); // loaded anew while the picture was large
  addEventListener("popstate", () => dialog.open && dialog.close());
  dialog.addEventListener("close", () => history.state?.zoom && history.back());
}

function apart([one, other]) {
  return Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
}

function build() {
  const dialog = document.createElement("dialog");
  dialog.className = "zoom";
  const tools = document.createElement("div");
  tools.className = "zoom-tools";
  const [before, after, farther, nearer, close] = [["‹", "before"], ["›", "after"], ["−", "farther"], ["+", "nearer"], ["✕", "close"]].map(button);
  before.dataset.leaf = "-1";
  after.dataset.leaf = "1";
  tools.append(before, after, farther, nearer, close);
  const stage = document.createElement("div");
  stage.className = "zoom-stage";
  stage.tabIndex = 0; // scrolled by keys
  const sheet = svg("svg", { class: "sheet whole", role: "img" });
  stage.append(sheet);
  const said = document.createElement("p");
  said.className = "zoom-said";
  said.setAttribute("role", "status");
  dialog.append(tools, said, stage);
  document.body.append(dialog);
  return { dialog, stage, sheet, said, close, nearer, farther };
}

function button([sign, name]) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = sign;
  made.setAttribute("aria-label", say(name));
  made.title = say(name);
  return made;
}

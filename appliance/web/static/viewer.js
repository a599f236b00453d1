// The page image beside the text: a tap on a source shows its place, arrows and swipes go along, leaves turn.
import { draw, rooted, say } from "./common.js";
import { setupSwipe } from "./swipe.js";
import { setupZoom } from "./zoom.js";

/** Make a viewer turn in place. Returns `turn(step)`, or null where there is nothing to show. */
export function setupViewer(viewer) {
  const data = viewer?.querySelector("[data-stops]");
  if (!data || !viewer.querySelector("[data-sheet]")) return null;
  const stops = JSON.parse(data.textContent);
  const own = Object.keys(stops).filter((id) => stops[id].views.length); // those that an address may name
  let ids = own;
  const find = (name) => viewer.querySelector(`[data-${name}]`);
  const asked = new URLSearchParams(location.search).get("s");
  const state = { id: ids.includes(asked) ? asked : ids[0] };
  state.view = stops[state.id].views[0];
  const zoom = setupZoom(find("zoom"), () => ({ view: state.view, title: title() }));

  const title = () => say("onpage", { place: `${stops[state.id].document} ${stops[state.id].label}`, page: state.view.page });

  /** Bring the viewer to the state; the server has already drawn the first view. */
  function paint(drawn = false) {
    const { id, view } = state;
    const stop = stops[id];
    for (const sheet of viewer.querySelectorAll("[data-sheet]")) draw(sheet, view, sheet.dataset.sheet, title(), drawn);
    find("read").href = rooted(stop.address);
    find("label").textContent = `${stop.document} ${stop.label}`;
    find("standing").replaceChildren(...badge(stop.outdated, "bad"), ...badge(stop.standing, "good"));
    find("edition").textContent = stop.edition;
    find("page").textContent = stop.web || pageWords(view);
    const trust = find("trust-badge");
    trust.textContent = say(`trust-${stop.web && view.trust === "digital" ? "web" : view.trust}`);
    trust.classList.toggle("medium", view.trust !== "digital");
    count();
    find("zoom").href = rooted(view.address);
    find("trust").textContent = view.trust === "ocr" ? say("ocr") : further(stop, view);
    for (const link of document.querySelectorAll("[data-stop]")) {
      if (link.dataset.stop === id) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    for (const control of document.querySelectorAll("[data-leaf]")) {
      control.toggleAttribute("data-end", view.page === (control.dataset.leaf < 0 ? 1 : view.last));
    }
    reach(find("zoom"));
    zoom.refresh();
    preload(stops[ids[ids.indexOf(id) + 1]]?.views[0]);
  }

  /** Say which of the sources is shown, and whether there is one before and after it. */
  function count() {
    const at = ids.indexOf(state.id);
    if (find("count")) find("count").textContent = say("of", { at: at + 1, all: ids.length });
    for (const step of [-1, 1]) viewer.querySelector(`[data-turn="${step}"]`)?.toggleAttribute("data-end", !ids[at + step]);
  }

  /** Let the address name the source that is shown, here and after the large picture has gone. */
  function remember() {
    const address = new URL(location.href);
    if (own.length > 1 && own.includes(state.id)) address.searchParams.set("s", state.id);
    history.replaceState(history.state, "", address);
  }

  function show(id, reveal) {
    if (!ids.includes(id)) return;
    state.id = id;
    state.view = stops[id].views[0];
    remember();
    paint();
    if (reveal) unfold(document.getElementById(`${id}-here`))?.scrollIntoView({ block: "nearest", behavior: calm() });
  }

  const turn = (step) => {
    const next = ids[ids.indexOf(state.id) + step];
    if (next) show(next, true);
  };

  async function leaf(step) {
    const number = state.view.page + step;
    if (number < 1 || number > state.view.last) return;
    const own = stops[state.id].views.find((view) => view.page === number);
    const from = state.view;
    const view = own ?? (await pageOf(from.document, number));
    if (state.view !== from) return; // the reader has gone on meanwhile
    if (!view) {
      find("trust").textContent = say("apart");
      zoom.told(say("apart"));
      return;
    }
    state.view = view;
    paint();
  }

  document.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    const link = event.target.closest?.("[data-stop], [data-turn], [data-leaf]");
    if (!link || (link.dataset.stop && !ids.includes(link.dataset.stop))) return;
    event.preventDefault();
    if (link.matches(".proof") && !find("zoom").checkVisibility()) { // on a phone the picture of a claim opens large at once
      show(link.dataset.stop, false);
      find("zoom").click();
      return;
    }
    lay(true);
    if (link.dataset.stop) show(link.dataset.stop, false);
    else if (link.dataset.turn) turn(Number(link.dataset.turn));
    else leaf(Number(link.dataset.leaf));
  });
  const close = document.createElement("button"); // on a phone the page opens where a source is tapped, else by this
  close.className = "turn plain";
  close.dataset.close = "";
  /** Open or close the page on a phone; beside a text that is read its bar stays. */
  function lay(open) {
    viewer.classList.toggle("open", open);
    close.setAttribute("aria-label", open ? say("close") : title());
    close.textContent = open ? "×" : say("show");
  }
  close.addEventListener("click", () => lay(!viewer.classList.contains("open")));
  viewer.querySelector(".bar").append(close);
  lay(false);
  for (const control of viewer.querySelectorAll("[data-turn], [data-leaf]")) {
    control.setAttribute("role", "button"); // it no longer leads to another page
    control.tabIndex = 0;
    control.addEventListener("keydown", (event) => {
      if (event.key !== " " && (event.key !== "Enter" || control.href)) return;
      event.preventDefault();
      control.click();
    });
  }
  document.addEventListener("stops", ({ detail }) => { // more to show, of what came beneath the answer
    Object.assign(stops, detail);
    ids = [...own, ...Object.keys(detail).filter((id) => stops[id].views.length)];
    if (!ids.includes(state.id)) show(own[0], false); // what was shown is gone, as when it is written anew
    count();
  });
  setupSwipe(viewer, turn);
  setupFollow((id) => {
    if (id === state.id || !ids.includes(id) || !viewer.checkVisibility()) return;
    state.id = id;
    state.view = stops[id].views[0];
    paint();
  });
  addEventListener("popstate", remember);
  paint(true);
  return turn;
}

/** Tell which block a mouse rests on, or which is in view where the reader has scrolled to, by its stop. */
function setupFollow(follow) {
  const blocks = [...document.querySelectorAll("article [id$='-here']")];
  const own = (block) => block.id.slice(0, -"-here".length);
  document.addEventListener("pointermove", (event) => {
    if (event.pointerType !== "mouse" || !(event.movementX || event.movementY)) return; // it was moved, not the page under it
    const under = event.target.closest?.("article [data-stop], article [id$='-here']"); // of open cases the one under it
    if (under) follow(under.dataset.stop ?? own(under));
  });
  let scrolled = false; // by the reader, not by the page itself
  const moved = (event) => { scrolled = !event.target.closest?.(".viewer"); }; // a swipe over the page turns it
  for (const kind of ["wheel", "touchmove"]) addEventListener(kind, moved, { passive: true });
  addEventListener("scrollend", () => {
    if (!scrolled) return;
    scrolled = false;
    const near = blocks.find((block) => block.checkVisibility() && block.getBoundingClientRect().bottom > innerHeight / 4);
    if (near) follow(own(near));
  });
}

/** Open what an element is folded in, so that it can be seen. */
function unfold(element) {
  for (let fold = element?.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  return element;
}

/** Scroll a stage, and nothing else, so that the boxed place stands in its middle. */
function reach(stage) {
  const sheet = [...stage.querySelectorAll("[data-sheet]")].find((item) => item.clientHeight);
  const box = (sheet?.querySelector(".strong") ?? sheet?.querySelector(".faint"))?.getBoundingClientRect();
  if (!box) return;
  const frame = stage.getBoundingClientRect();
  stage.scrollTop += box.top + Math.min(box.height, frame.height) / 2 - frame.top - frame.height / 2;
}

/** Return a badge that says how an edition stands, nothing where that is not known. */
function badge(status, shade) {
  if (!status) return [];
  const element = document.createElement("span");
  element.className = `badge ${shade}`;
  element.textContent = status;
  return [element];
}

const calm = () => (matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth");

/** Return how a page is called: where none is printed on it, by its place in the file. */
function pageWords(view) {
  if (!view.printed) return say("file", view);
  return view.printed === String(view.page) ? say("page", view) : say("printed", view);
}

function further(stop, view) {
  const other = stop.views.map((item) => item.page).filter((page) => page !== view.page);
  return other.length ? say("also", { pages: other.join(", ") }) : "";
}

async function pageOf(name, number) {
  try {
    const response = await fetch(rooted(`api/v1/document/${encodeURIComponent(name)}/page/${number}`));
    return response.ok ? await response.json() : null;
  } catch {
    return null; // out of reach: the page shown stays
  }
}

function preload(view) {
  if (view?.image) new Image().src = rooted(view.small || view.image);
}

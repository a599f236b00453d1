// An answer as the language model writes it: begun, looked at twice a second, shown as text, given up.
// What is told is put on the page as text alone; once it is checked, what the box shows of it on its own page stands
// in the place of the draft: nothing above it moves. Where the box is out of reach, what is written so far stays and
// the looks go on, slower and slower; a job that was given up meanwhile is begun again.
import { rooted, say, setupDrawings } from "./common.js";

const LOOK = 500; // milliseconds between two looks
const SLOWEST = 8_000; // milliseconds between two looks at a box out of reach
const PATIENCE = 40; // looks that may fail in a row before the reader must press a button
const OWN = "w-"; // before the names of sources of what was written: the quoted answer above numbers its own
const TRIES = 3; // how often a busy box is asked again, and a lost answer begun again

/** Take over the part of a page that offers to have something written: an answer, words about a figure. */
export function setupAnswering(panel) {
  if (!panel) return;
  const form = panel.querySelector("form");
  const state = { job: "", told: 0, failed: 0, tries: 0, begun: 0, timer: 0, moved: false };
  const below = panel.dataset.below ?? say("complete"); // what the reader has without it
  const shown = build(panel);
  const asked = () => { state.moved = true; };
  for (const name of ["wheel", "touchmove", "keydown"]) addEventListener(name, asked, { passive: true, once: true });
  addEventListener("pagehide", (event) => state.job && !event.persisted && send(`${address()}/cancel`, { keepalive: true }));
  addEventListener("online", () => { if (state.job && state.failed) { clearTimeout(state.timer); look(); } });
  addEventListener("pageshow", (event) => { if (event.persisted && state.job) look(); }); // back again: go on
  shown.stop.addEventListener("click", () => { giveUp(); rest(`${say("stopped")} ${below}`); });
  form?.addEventListener("submit", (event) => {
    event.preventDefault();
    state.begun = 0;
    begin();
  });
  if (panel.dataset.starts === "yes") begin();

  function address() { return rooted(`${panel.dataset.looks ?? "api/v1/jobs/"}${state.job}`); }

  async function begin() {
    state.told = state.failed = 0;
    state.tries += 1;
    state.begun += 1;
    show(say("begin"));
    try {
      const response = await send(panel.dataset.begin);
      const answer = await response.json();
      if (response.status === 429 && state.tries < TRIES) return again(answer);
      if (!response.ok) return rest(answer.error.message);
      state.job = answer.job;
      shown.draft.textContent = "";
      look();
    } catch {
      rest(`${say("unreachable")} ${below}`);
    }
  }

  function again({ error, seconds }) {
    show(error.message);
    state.timer = setTimeout(begin, Math.min(seconds, 30) * 1000);
  }

  async function look() {
    if (!state.job) return;
    try {
      const response = await fetch(`${address()}?after=${state.told}`);
      if (response.status === 404) return lost();
      if (!response.ok) throw new Error(response.statusText);
      const now = await response.json();
      if (!state.job) return;
      state.failed = 0;
      follow(now);
    } catch {
      state.failed += 1;
      if (state.failed >= PATIENCE) return rest(`${say("unreachable")} ${below}`, true);
      if (state.failed > 1) show(say("again"));
    }
    if (state.job) state.timer = setTimeout(look, Math.min(SLOWEST, LOOK * 1.5 ** state.failed));
  }

  /** The box no longer knows the job: it was out of sight for too long, or the box was started anew. */
  function lost() {
    state.job = "";
    if (state.failed && state.begun < TRIES) return begin();
    rest(`${say("givenup")} ${below}`, true);
  }

  function follow(now) {
    state.told = now.told;
    if (now.text) {
      shown.draft.textContent += now.text;
      shown.draft.hidden = shown.unchecked.hidden = false;
    }
    if (!now.ended) return show(line(now), now.share, now.seconds);
    state.job = "";
    if (now.state !== "done") return rest(`${ended(now.message || say("nothing"))} ${below}`);
    if (panel.dataset.part) return written();
    if (!state.moved && !String(getSelection())) location.replace(panel.dataset.done);
    else ready();
  }

  function show(text, share = 0, seconds = 0) {
    if (shown.state.textContent !== text) shown.state.textContent = text;
    shown.time.textContent = seconds ? say("about", { seconds }) : ""; // not read aloud: it changes all the time
    if (share > 0 && share < 1) shown.progress.value = share;
    else shown.progress.removeAttribute("value");
    panel.dataset.at = "working";
    form && (form.hidden = true);
    shown.stop.hidden = shown.progress.hidden = false;
    shown.part.hidden = false;
  }

  /** End with some words; what was written stays where the reader may go on with it. */
  function rest(text, keeps = false) {
    clearTimeout(state.timer);
    state.job = "";
    state.tries = 0;
    panel.dataset.at = "rest";
    shown.part.hidden = false;
    shown.state.textContent = text;
    shown.time.textContent = "";
    if (!keeps) shown.draft.textContent = "";
    shown.part.querySelector(".checked")?.remove();
    shown.draft.hidden = shown.unchecked.hidden = !shown.draft.textContent;
    shown.stop.hidden = shown.progress.hidden = true;
    form && (form.hidden = false);
    form?.querySelector(".state")?.remove();
  }

  /** Put what the model states, checked, where the draft stood; where it cannot be had, its page is offered alone. */
  async function written() {
    const part = (await page(panel.dataset.part))?.querySelector(".checked");
    ready(part?.dataset.told);
    if (!part) return;
    const stops = JSON.parse(part.querySelector("[data-stops]").textContent);
    for (const item of part.querySelectorAll("[id]")) item.id = OWN + item.id;
    for (const link of part.querySelectorAll("[data-stop]")) link.dataset.stop = OWN + link.dataset.stop;
    shown.draft.after(document.adoptNode(part));
    setupDrawings(part.querySelectorAll("[data-large]"));
    const more = Object.fromEntries(Object.entries(stops).map(([id, stop]) => [OWN + id, stop]));
    document.dispatchEvent(new CustomEvent("stops", { detail: more }));
  }

  function ready(told = "") {
    rest(`${say("written")} ${told} `);
    panel.dataset.at = "ready";
    form && (form.hidden = true);
    const link = document.createElement("a");
    link.href = panel.dataset.done;
    link.textContent = say("show");
    shown.state.append(link);
  }

  function giveUp() {
    clearTimeout(state.timer);
    if (state.job) send(`${address()}/cancel`);
    state.job = "";
  }
}

/** Return a page of the box, read as a page is: no text of it becomes markup here. Null where it cannot be had. */
function page(address) {
  const request = new XMLHttpRequest();
  request.open("GET", address);
  request.responseType = "document";
  return new Promise((found) => {
    request.addEventListener("loadend", () => found(request.status === 200 ? request.response : null));
    request.send();
  });
}

const send = (address, more = {}) => fetch(address, { method: "POST", headers: { Accept: "application/json" }, ...more });

/** Return a sentence with the stop that some lack, which end with a command. */
const ended = (text) => (/[.!?]$/.test(text) ? text : `${text}.`);

const line = ({ stage, position }) => (position ? say("waiting", { position }) : stage);

/** Return the elements that show how it goes, hidden until it does. */
function build(panel) {
  const part = element("div", { hidden: true });
  const head = element("p", { className: "state" });
  const state = element("span", { role: "status" });
  const time = element("span", { className: "unchecked" });
  head.append(state, time);
  const progress = element("progress", { max: 1 });
  progress.setAttribute("aria-label", say("howfar"));
  const unchecked = element("p", { className: "unchecked", hidden: true, textContent: say("unchecked") });
  const draft = element("p", { className: "draft", hidden: true });
  const actions = element("p", { className: "actions" });
  const stop = element("button", { type: "button", className: "plain", textContent: say("stop") });
  actions.append(stop);
  part.append(head, progress, unchecked, draft, actions);
  panel.prepend(part);
  return { part, state, time, progress, unchecked, draft, stop };
}

function element(name, values) {
  return Object.assign(document.createElement(name), values);
}

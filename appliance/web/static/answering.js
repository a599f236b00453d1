// An answer as the language model writes it: begun, looked at twice a second, shown as text, given up.
// What is told is put on the page as text alone; the checked answer is a page of its own.
import { rooted } from "./common.js";

const LOOK = 500; // milliseconds between two looks
const PATIENCE = 4; // looks that may fail before the answer is said to be lost
const TRIES = 3; // how often a busy box is asked again

/** Take over the part of an answer page that offers to have it written. */
export function setupAnswering(panel) {
  if (!panel) return;
  const form = panel.querySelector("form");
  const state = { job: "", told: 0, failed: 0, tries: 0, timer: 0, moved: false };
  const shown = build(panel);
  const asked = () => { state.moved = true; };
  for (const name of ["wheel", "touchmove", "keydown"]) addEventListener(name, asked, { passive: true, once: true });
  addEventListener("pagehide", () => state.job && send(`${job()}/cancel`, { keepalive: true }));
  shown.stop.addEventListener("click", () => { giveUp(); rest("Stopped. The quotations below are complete."); });
  form?.addEventListener("submit", (event) => {
    event.preventDefault();
    begin();
  });
  if (panel.dataset.starts === "yes") begin();

  const address = () => rooted(`api/v1/jobs/${state.job}`);
  function job() { return address(); }

  async function begin() {
    state.told = state.failed = 0;
    state.tries += 1;
    show("Waiting for the language model");
    try {
      const response = await send(panel.dataset.begin);
      const answer = await response.json();
      if (response.status === 429 && state.tries < TRIES) return again(answer);
      if (!response.ok) return rest(answer.error.message);
      state.job = answer.job;
      look();
    } catch {
      rest("The box cannot be reached. The quotations below are complete.");
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
      if (response.status === 404) return rest("The answer was given up. The quotations below are complete.");
      if (!state.job) return;
      follow(await response.json());
      state.failed = 0;
    } catch {
      state.failed += 1;
      if (state.failed >= PATIENCE) return rest("The box cannot be reached. The quotations below are complete.");
    }
    if (state.job) state.timer = setTimeout(look, LOOK);
  }

  function follow(now) {
    state.told = now.told;
    if (now.text) {
      shown.draft.textContent += now.text;
      shown.draft.hidden = shown.unchecked.hidden = false;
    }
    if (!now.ended) return show(line(now), now.share, now.seconds);
    state.job = "";
    if (now.state !== "done") return rest(`${now.message || "Nothing was written."} The quotations below are complete.`);
    if (!state.moved && !String(getSelection())) location.replace(panel.dataset.done);
    else ready();
  }

  function show(text, share = 0, seconds = 0) {
    if (shown.state.textContent !== text) shown.state.textContent = text;
    shown.time.textContent = seconds ? `about ${seconds} s` : ""; // not read aloud: it changes all the time
    if (share > 0 && share < 1) shown.progress.value = share;
    else shown.progress.removeAttribute("value");
    panel.dataset.at = "working";
    form && (form.hidden = true);
    shown.stop.hidden = shown.progress.hidden = false;
    shown.part.hidden = false;
  }

  function rest(text) {
    clearTimeout(state.timer);
    state.job = "";
    state.tries = 0;
    panel.dataset.at = "rest";
    shown.part.hidden = false;
    shown.state.textContent = text;
    shown.time.textContent = "";
    shown.draft.textContent = "";
    shown.draft.hidden = shown.unchecked.hidden = shown.stop.hidden = shown.progress.hidden = true;
    form && (form.hidden = false);
    form?.querySelector(".state")?.remove();
  }

  function ready() {
    rest("The answer is written and checked. ");
    panel.dataset.at = "ready";
    form && (form.hidden = true);
    const link = document.createElement("a");
    link.href = panel.dataset.done;
    link.textContent = "Show it";
    shown.state.append(link);
  }

  function giveUp() {
    clearTimeout(state.timer);
    if (state.job) send(`${address()}/cancel`);
    state.job = "";
  }
}

const send = (address, more = {}) => fetch(address, { method: "POST", headers: { Accept: "application/json" }, ...more });

const line = ({ stage, position }) => (position ? `Waiting, ${position} before this one` : stage);

/** Return the elements that show how it goes, hidden until it does. */
function build(panel) {
  const part = element("div", { hidden: true });
  const head = element("p", { className: "state" });
  const state = element("span", { role: "status" });
  const time = element("span", { className: "unchecked" });
  head.append(state, time);
  const progress = element("progress", { max: 1 });
  progress.setAttribute("aria-label", "How far the language model has read");
  const unchecked = element("p", { className: "unchecked", hidden: true, textContent: "As it is written, not yet checked:" });
  const draft = element("p", { className: "draft", hidden: true });
  const actions = element("p", { className: "actions" });
  const stop = element("button", { type: "button", className: "plain", textContent: "Stop" });
  actions.append(stop);
  part.append(head, progress, unchecked, draft, actions);
  panel.prepend(part);
  return { part, state, time, progress, unchecked, draft, stop };
}

function element(name, values) {
  return Object.assign(document.createElement(name), values);
}

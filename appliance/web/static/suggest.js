// Exact labels offered while typing, as a combobox (ARIA Authoring Practices, "editable combobox").
import { rooted, say } from "./common.js";
import { again as askAgain, remembered, whole } from "./history.js";

const RECENT = 6; // questions of this device, where nothing is typed yet
const WAIT = 120; // milliseconds without a key before the box is asked

/** Offer labels under an input. */
export function setupSuggest(input) {
  if (!input) return;
  const list = document.createElement("ul");
  list.id = "suggestions";
  list.className = "suggestions";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", say("places"));
  list.hidden = true;
  input.parentElement.append(list);
  for (const [name, value] of [["role", "combobox"], ["aria-autocomplete", "list"], ["aria-controls", list.id], ["aria-expanded", "false"]]) {
    input.setAttribute(name, value);
  }
  const state = { at: -1, timer: 0, request: null };

  const close = () => {
    list.hidden = true;
    state.at = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };

  function choose(at) {
    clearTimeout(state.timer);
    state.request?.abort(); // what comes late takes no choice away
    const options = [...list.children];
    state.at = (at + options.length + 1) % (options.length + 1);
    if (state.at === options.length) state.at = -1; // back in the text
    options.forEach((option, index) => option.setAttribute("aria-selected", String(index === state.at)));
    if (state.at < 0) input.removeAttribute("aria-activedescendant");
    else input.setAttribute("aria-activedescendant", options[state.at].id);
  }

  function offer(found, name = "places") {
    list.setAttribute("aria-label", say(name));
    list.replaceChildren(...found.map(option));
    list.hidden = !found.length;
    state.at = -1;
    input.setAttribute("aria-expanded", String(!list.hidden));
  }

  /** Offer what was asked on this device, to who has typed nothing. */
  function again() {
    if (input.value || !list.hidden) return;
    offer(remembered().slice(0, RECENT).map((item) => ({ title: whole(item), address: askAgain(item) })), "asked");
  }

  async function ask() {
    state.request?.abort();
    const text = input.value.trim();
    if (!text || text.length > 40) return close();
    state.request = new AbortController();
    try {
      const response = await fetch(rooted(`api/v1/suggest?q=${encodeURIComponent(text)}`), { signal: state.request.signal });
      if (response.ok && document.activeElement === input) offer(await response.json());
    } catch (error) {
      if (error.name !== "AbortError") close(); // the box is out of reach: typing goes on
    }
  }

  input.addEventListener("input", () => {
    clearTimeout(state.timer);
    state.timer = setTimeout(ask, WAIT);
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" && !event.altKey && list.hidden) again();
    if (list.hidden) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      choose(state.at + (event.key === "ArrowDown" ? 1 : -1));
    } else if (event.key === "Escape") {
      event.preventDefault();
      close();
    } else if (event.key === "Enter" && state.at >= 0) {
      event.preventDefault();
      list.children[state.at].click();
    }
  });
  input.addEventListener("click", again);
  input.form?.addEventListener("submit", () => clearTimeout(state.timer));
  input.addEventListener("blur", () => setTimeout(close, 150));
  list.addEventListener("mousedown", (event) => event.preventDefault());
}

function option({ document: name, label, title, address }, index) {
  const item = document.createElement("li");
  item.id = `suggestion-${index}`;
  item.setAttribute("role", "option");
  item.setAttribute("aria-selected", "false");
  const words = document.createElement("span");
  words.dir = "auto";
  words.textContent = title;
  if (name) item.append(Object.assign(document.createElement("b"), { textContent: `${name} ${label}` }));
  item.append(words);
  item.addEventListener("click", () => location.assign(rooted(address)));
  return item;
}

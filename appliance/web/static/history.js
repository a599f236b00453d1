// What was asked on this device: kept by the browser alone, youngest first, each question once. The same words
// after another question, or with another filter, are another question.
import { say } from "./common.js";

const NAME = "codes.history";
const MOST = 200;
const RECENT = 4; // questions on the first page
const FILTERS = ["d", "edition", "family", "kind", "tag", "status"]; // of an address

/** Return the questions kept, youngest first: {q, search, at, as}; none where the browser keeps nothing.
 *
 * `as` is what a question that goes on was understood as, "" of every other.
 */
export function remembered() {
  try {
    const found = JSON.parse(localStorage.getItem(NAME) ?? "[]");
    return Array.isArray(found) ? found.filter((item) => typeof item?.q === "string" && typeof item?.search === "string") : [];
  } catch {
    return []; // storage is switched off, or holds something else
  }
}

/** Keep a question with the address of its answer (the part from "?" on) and what it was understood as. */
export function remember(q, search, as = "") {
  const asked = { q: q.slice(0, 500), search: search.slice(0, 2000), at: Date.now(), as: as.slice(0, 500) };
  const others = remembered().filter((item) => told(item) !== told(asked));
  keep([asked, ...others].slice(0, MOST));
}

/** Return the address that asks a question again. */
export const again = ({ q, search }) => `ask${search.startsWith("?") ? search : `?q=${encodeURIComponent(q)}`}`;

/** Return the question in words that stand by themselves. */
export const whole = (item) => item.as || item.q;

/** Return what tells a question from another: its words, the question before, the filters. */
function told(item) {
  const { after, filters } = beside(item);
  return JSON.stringify([item.q, after, filters]);
}

/** Return the question before and the filters, as the address has them. */
function beside({ search }) {
  const said = new URLSearchParams(search);
  return { after: said.get("after") ?? "", filters: FILTERS.flatMap((name) => said.getAll(name)) };
}

/** Keep the question of an answer that is shown. */
export function rememberAnswer(place) {
  if (place) remember(place.dataset.keep, location.search, place.dataset.keepAs);
}

/** Keep these questions, or none. */
export function keep(items) {
  try {
    if (items.length) localStorage.setItem(NAME, JSON.stringify(items));
    else localStorage.removeItem(NAME);
  } catch {
    // full or switched off: there is then no history
  }
}

/** Show the questions asked last on the first page. */
export function setupRecent(place) {
  const last = remembered().slice(0, RECENT);
  if (!place || !last.length) return;
  const list = document.createElement("ul");
  list.className = "examples";
  for (const item of last) {
    const link = list.appendChild(document.createElement("li")).appendChild(document.createElement("a"));
    link.href = again(item);
    link.dir = "auto";
    link.textContent = whole(item);
  }
  list.setAttribute("aria-label", say("asked"));
  place.replaceChildren(list);
}

/** Write the history into its page. */
export function setupHistory(place) {
  if (!place) return;
  const list = place.querySelector("[data-history-list]");
  const empty = place.querySelector("[data-history-empty]");
  const clear = place.querySelector("[data-history-clear]");
  const show = () => {
    const items = remembered();
    empty.hidden = items.length > 0;
    clear.hidden = items.length === 0;
    list.replaceChildren(...items.map((item) => line(item, place.dataset)));
  };
  clear.addEventListener("click", () => {
    keep([]);
    show();
    place.tabIndex = -1;
    place.focus();
  });
  addEventListener("storage", show); // another tab asked something
  place.hidden = false;
  show();
}

function line(item, names) {
  const link = document.createElement("a");
  link.href = again(item);
  link.dir = "auto";
  const words = document.createElement("b");
  words.textContent = item.q;
  link.append(words);
  const { after, filters } = beside(item);
  const thread = item.as ? [names.understood, item.as] : [names.before, after];
  const made = document.createElement("li");
  made.append(link, ...[thread, [names.filter, filters.join(", ")]].filter(([, text]) => text).map(more));
  const date = new Date(item.at);
  const when = document.createElement("p");
  when.className = "meta";
  when.textContent = Number.isNaN(date.getTime()) ? "" : date.toLocaleString(document.documentElement.lang === "en" ? "en-GB" : document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
  made.append(when);
  return made;
}

/** Return a line of its name and the words of a person. */
function more([name, text]) {
  const words = document.createElement("span");
  words.dir = "auto";
  words.textContent = text;
  const made = document.createElement("p");
  made.className = "meta";
  made.append(`${name}: `, words);
  return made;
}

setupHistory(document.querySelector("[data-history]"));

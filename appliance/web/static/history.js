// What was asked on this device: kept by the browser alone, youngest first, each question once.
const NAME = "codes.history";
const MOST = 200;

/** Return the questions kept, youngest first: {q, search, at}; none where the browser keeps nothing. */
export function remembered() {
  try {
    const found = JSON.parse(localStorage.getItem(NAME) ?? "[]");
    return Array.isArray(found) ? found.filter((item) => typeof item?.q === "string" && typeof item?.search === "string") : [];
  } catch {
    return []; // storage is switched off, or holds something else
  }
}

/** Keep a question with the address of its answer (the part from "?" on). */
export function remember(q, search) {
  const others = remembered().filter((item) => item.q !== q);
  keep([{ q: q.slice(0, 500), search: search.slice(0, 2000), at: Date.now() }, ...others].slice(0, MOST));
}

/** Keep the question of an answer that is shown. */
export function rememberAnswer(place) {
  if (place) remember(place.dataset.keep, location.search);
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
    list.replaceChildren(...items.map(line));
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

function line(item) {
  const link = document.createElement("a");
  link.href = `ask${item.search.startsWith("?") ? item.search : `?q=${encodeURIComponent(item.q)}`}`;
  link.dir = "auto";
  const words = document.createElement("b");
  words.textContent = item.q;
  link.append(words);
  const when = document.createElement("p");
  when.className = "meta";
  const date = new Date(item.at);
  when.textContent = Number.isNaN(date.getTime()) ? "" : date.toLocaleString(document.documentElement.lang === "en" ? "en-GB" : document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
  const made = document.createElement("li");
  made.append(link, when);
  return made;
}

setupHistory(document.querySelector("[data-history]"));

// The filter of a list: a line stays when it holds every word typed.
import { say } from "./common.js";

/** Return the words of a filter, folded. */
export const words = (text) => fold(text).split(/\s+/).filter(Boolean);

/** Return a text without case and accents. */
export const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/** Tell how many lines match, in words. */
export const counted = (count) => say(count === 1 ? "line" : "lines", { count });

function setupList(list) {
  if (!list) return;
  const tools = document.querySelector("[data-list-tools]");
  const input = tools.querySelector("[data-list-filter]");
  const count = tools.querySelector("[data-list-count]");
  const lines = [...list.querySelectorAll("[data-line]")].map((line) => [line, fold(line.textContent)]);
  tools.hidden = false;
  input.addEventListener("input", () => {
    const wanted = words(input.value);
    let found = 0;
    for (const [line, text] of lines) {
      line.hidden = !wanted.every((word) => text.includes(word));
      found += line.hidden ? 0 : 1;
    }
    count.textContent = wanted.length ? counted(found) : "";
  });
}

setupList(document.querySelector("[data-list]"));

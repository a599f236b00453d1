// The reading views: a table that filters and copies, a figure that comes nearer, a term that explains itself.
import { say } from "./common.js";
import { counted, fold, words } from "./lists.js";

/** Give a table its filter and its copying; one whose cells span rows marks what matches and hides nothing. */
function setupTable(tools) {
  const table = tools.parentElement.querySelector("table");
  const input = tools.querySelector("[data-table-filter]");
  const copy = tools.querySelector("[data-table-copy]");
  const count = tools.querySelector("[data-table-count]");
  const rows = [...table.querySelectorAll("tbody tr")].map((row) => [row, fold(row.textContent)]);
  const spans = table.querySelector("tbody [rowspan]") !== null;
  tools.hidden = false;
  input.addEventListener("input", () => {
    const wanted = words(input.value);
    let found = 0;
    let first = null;
    for (const [row, text] of rows) {
      const fits = wanted.every((word) => text.includes(word));
      row.hidden = !fits && !spans;
      row.classList.toggle("hit", fits && spans && wanted.length > 0);
      found += fits ? 1 : 0;
      if (fits) first ??= row;
    }
    if (spans && wanted.length && first) first.scrollIntoView({ block: "nearest" });
    count.textContent = wanted.length ? counted(found) : "";
  });
  copy.addEventListener("click", async () => {
    const text = await (await fetch(copy.dataset.tableCopy)).text();
    count.textContent = (await copied(text)) ? say("copied") : "";
  });
}

/** Copy a text; plain HTTP on a network gives no clipboard, so it is selected and copied as by hand. */
async function copied(text) {
  if (navigator.clipboard && isSecureContext) {
    return navigator.clipboard.writeText(text).then(() => true, () => false);
  }
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "aloud";
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done;
}

/** Give a figure its buttons: its frame scrolls when it is larger. */
function setupFigure(tools) {
  const frame = document.getElementById(tools.dataset.figureTools);
  const scales = [1, 2, 4];
  let at = 0;
  tools.hidden = false;
  for (const button of tools.querySelectorAll("[data-step]")) {
    button.addEventListener("click", () => {
      const middle = [(frame.scrollLeft + frame.clientWidth / 2) / frame.scrollWidth, (frame.scrollTop + frame.clientHeight / 2) / frame.scrollHeight];
      at = Math.max(0, Math.min(scales.length - 1, at + Number(button.dataset.step)));
      frame.dataset.scale = scales[at];
      frame.scrollLeft = middle[0] * frame.scrollWidth - frame.clientWidth / 2;
      frame.scrollTop = middle[1] * frame.scrollHeight - frame.clientHeight / 2;
      for (const other of tools.querySelectorAll("[data-step]")) other.disabled = at + Number(other.dataset.step) < 0 || at + Number(other.dataset.step) >= scales.length;
    });
  }
}

/** Show what a term means where it is tapped; the link to the list stays for who has no script. */
function setupTerms(list) {
  if (!list || !HTMLElement.prototype.showPopover) return;
  const card = document.createElement("div");
  card.className = "term-card";
  card.popover = "auto";
  card.setAttribute("role", "dialog");
  document.body.append(card);
  for (const link of document.querySelectorAll("a.term")) {
    link.addEventListener("click", (event) => {
      const entry = document.getElementById(decodeURIComponent(link.hash.slice(1)));
      if (!entry || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      card.setAttribute("aria-label", entry.querySelector("dt").textContent.trim());
      card.replaceChildren(...entry.cloneNode(true).childNodes);
      card.showPopover();
      card.querySelector("a")?.focus({ preventScroll: true });
    });
  }
}

for (const tools of document.querySelectorAll("[data-table-tools]")) setupTable(tools);
for (const tools of document.querySelectorAll("[data-figure-tools]")) setupFigure(tools);
setupTerms(document.querySelector("[data-terms]"));

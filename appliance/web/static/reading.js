// The reading views: a table that filters and copies, a figure that comes nearer, a term that explains itself.
import { say } from "./common.js";
import { counted, fold, words } from "./lists.js";

/** Give a table its filter and its copying: what matches stays under its group headings and its heads. */
function setupTable(tools) {
  const whole = tools.parentElement.querySelector("tbody");
  const input = tools.querySelector("[data-table-filter]");
  const copy = tools.querySelector("[data-table-copy]");
  const count = tools.querySelector("[data-table-count]");
  const flat = flattened(whole);
  const rows = [...flat.rows].map((row) => ({ row, text: fold(row.textContent), number: row.dataset.row, under: row.dataset.under }));
  const heads = new Set(rows.map((item) => item.under));
  let shown = [];
  tools.hidden = false;
  input.addEventListener("input", () => {
    const wanted = words(input.value);
    const fits = new Set(rows.filter((item) => wanted.every((word) => item.text.includes(word))).map((item) => item.number));
    const kept = rows.filter((item) => fits.has(item.number) || fits.has(item.under)); // a heading brings its group
    const above = new Set(kept.map((item) => item.under));
    for (const item of rows) item.row.hidden = !kept.includes(item) && !above.has(item.number);
    const found = kept.filter((item) => !heads.has(item.number)).length;
    const body = wanted.length ? flat : whole;
    const other = wanted.length ? whole : flat;
    if (other.isConnected) other.replaceWith(body);
    shown = wanted.length ? rows.filter((item) => !item.row.hidden).map((item) => item.row.dataset.row) : [];
    copy.disabled = wanted.length > 0 && !found; // without rows the address gives all of them
    copy.textContent = wanted.length ? (found === 1 ? say("copyrow") : say("copyrows", { count: found })) : say("copyall");
    count.textContent = wanted.length ? counted(found) : "";
  });
  copy.addEventListener("click", async () => {
    const address = new URL(copy.dataset.tableCopy, document.baseURI);
    for (const row of shown) address.searchParams.append("row", row);
    const text = await (await fetch(address)).text();
    count.textContent = (await copied(text)) ? say("copied") : "";
  });
}

/** Return the rows of a table with each cell in every row that it spans, so that any of them can be left out. */
function flattened(body) {
  const flat = document.createElement("tbody");
  const open = []; // by column: the cell that spans down from above, and how many rows more
  for (const row of body.rows) {
    const line = flat.appendChild(row.cloneNode(false));
    const cells = [...row.cells];
    for (let column = 0; cells.length || open[column]?.left; column += 1) {
      const held = open[column];
      const cell = held?.left ? held.cell : cells.shift();
      const copy = line.appendChild(cell.cloneNode(true));
      copy.removeAttribute("rowspan");
      open[column] = { cell, left: (held?.left ? held.left : cell.rowSpan) - 1 };
      for (let more = 1; more < cell.colSpan; more += 1) open[(column += 1)] = { cell, left: 0 };
    }
  }
  return flat;
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

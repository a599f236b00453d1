// Makes a loaded page ready to be printed. In: { css, slugs, address }, the last "" for a page of no site; the author's
// styles decide what is seen, no more.
({ css, slugs, address }) => {
  for (const box of document.querySelectorAll("details")) box.open = true;
  for (const item of [...document.body.querySelectorAll("*")].filter((item) => !isRead(item))) item.remove();
  const levels = levelsAbove();
  // HTML says that <main> holds what the page is about, and <nav> the ways to other pages.
  const main = document.querySelectorAll("main, [role=main]");
  if (main.length === 1) document.body.replaceChildren(main[0]);
  for (const item of document.body.querySelectorAll("nav, [role=navigation], script, template, iframe, object, embed")) item.remove();
  document.body.prepend(...levels);
  // A table that names nothing and holds one that does, or titles, lays out the page; in others the inner one is text.
  for (const table of document.querySelectorAll("table:has(table)")) {
    if (table.querySelector(":scope > caption, :scope > * > tr > th") || !table.querySelector("caption, th, h1, h2, h3, h4, h5, h6, p")) continue;
    const cells = [...table.rows].flatMap((row) => [...row.cells]);
    table.replaceWith(...cells.flatMap((cell) => [Object.assign(document.createElement("p"), { id: cell.id }), ...cell.childNodes]));
  }
  for (const item of document.querySelectorAll("style, link")) item.remove();
  for (const item of document.querySelectorAll("[style]")) if (!item.closest("svg") && !levels.includes(item)) item.removeAttribute("style");
  const style = document.createElement("style");
  style.textContent = css;
  document.head.append(style);
  if (slugs) for (const head of document.querySelectorAll("h1, h2, h3, h4, h5, h6")) head.id ||=
    head.textContent.trim().toLowerCase().replace(/[^\p{L}\p{N}_ -]/gu, "").replace(/ /g, "-");
  const base = document.querySelector("base[href]")?.getAttribute("href") ?? "";
  const site = address && URL.canParse(base, address) ? new URL(base, address) : address;
  for (const link of site ? document.querySelectorAll("a[href]:not([href^='#'])") : [])
    if (URL.canParse(link.getAttribute("href"), site)) link.href = new URL(link.getAttribute("href"), site);
  // A table that is wider than the page is set smaller, so that no number is broken; what no size helps is cut.
  const [paper, least] = [650, 0.35]; // pixels between the margins of print.css; of the size of its type
  for (const table of document.querySelectorAll("table:not(table table)")) {
    table.style.cssText = "width: min-content; max-width: none";
    const wide = table.offsetWidth;
    table.style.cssText = wide > paper ? `zoom: ${Math.max(paper / wide, least)}` : "";
    if (paper / wide < least) table.classList.add("cut");
  }
  // Chromium writes a named destination for an id that a link of the same page leads to.
  for (const item of document.body.querySelectorAll("[id], a[name]")) {
    const holds = "table, thead, tbody, tfoot, tr, ul, ol, dl"; // other items alone, the first of which is the place
    const place = item.matches(holds) ? item.querySelector("caption, th, td, li, dt, dd") : item;
    if (!place || item.closest("svg, math")) continue;
    const link = document.createElement("a");
    link.href = "#" + encodeURIComponent(item.id || item.name);
    link.textContent = "\u200b";
    link.style.cssText = "position: absolute; font-size: 1px";
    if (place.matches("a, img, input, hr, br, wbr")) place.before(link); else place.prepend(link);
  }

  // The levels above a page may stand in its breadcrumb alone (by its ARIA label, schema.org type or class): they are
  // the headings above its own, each smaller than the one before.
  function levelsAbove() {
    const marks = "[itemtype$=BreadcrumbList], [aria-label*=breadcrumb i], [class*=breadcrumb i], [id*=breadcrumb i]";
    const trail = [...document.body.querySelectorAll(marks)].find((item) => !item.querySelector("h1, h2, p, table, main"));
    const parted = (text) => text.replace(/\s+/g, " ").trim();
    const heads = [...document.body.querySelectorAll("h1, h2, h3, h4, h5, h6")].map((head) => parted(head.textContent));
    if (!trail) return [];
    for (const step of heads.length ? trail.querySelectorAll("[aria-current]") : []) step.remove(); // the page itself
    for (const step of trail.querySelectorAll("a")) if (/^(\w+:\/\/[^/]+)?\/$/.test(step.getAttribute("href"))) step.remove(); // its site
    for (const step of trail.querySelectorAll("a, li")) { step.before("\u0000"); step.after("\u0000"); }
    const steps = trail.textContent.split(/\0|\s[>›»→/|·]\s/).map(parted)
      .filter((step) => /[\p{L}\p{N}]/u.test(step) && !heads.includes(step));
    trail.remove();
    return steps.map((step, at) => {
      const head = document.createElement("h1");
      head.textContent = step;
      head.style.fontSize = `${19 * 1.08 ** (steps.length - at)}pt`; // 19pt: that of h1 in print.css
      return head;
    });
  }
}

// Makes a loaded page ready to be printed. In: { css, slugs }; the author's styles decide what is seen, no more.
({ css, slugs }) => {
  for (const box of document.querySelectorAll("details")) box.open = true;
  const seen = { opacityProperty: true, visibilityProperty: true };
  const all = [...document.body.querySelectorAll("*")].filter((item) => !item.closest("svg, math"));
  const unseen = all.filter((item) => !["BR", "WBR", "COL", "COLGROUP", "AREA"].includes(item.tagName)
    && !item.checkVisibility(seen) && getComputedStyle(item).display !== "contents");
  for (const item of unseen) item.remove();
  // HTML says that <main> holds what the page is about, and <nav> the ways to other pages.
  const main = document.querySelectorAll("main, [role=main]");
  if (main.length === 1) document.body.replaceChildren(main[0]);
  for (const item of document.body.querySelectorAll("nav, [role=navigation], script, template, iframe, object, embed")) item.remove();
  for (const item of document.querySelectorAll("style, link")) item.remove();
  for (const item of document.querySelectorAll("[style], [hidden]")) if (!item.closest("svg")) item.removeAttribute("style");
  const style = document.createElement("style");
  style.textContent = css;
  document.head.append(style);
  if (slugs) for (const head of document.querySelectorAll("h1, h2, h3, h4, h5, h6")) head.id ||=
    head.textContent.trim().toLowerCase().replace(/[^\p{L}\p{N}_ -]/gu, "").replace(/ /g, "-");
  // Chromium writes a named destination for an id that a link of the same page leads to.
  for (const item of document.body.querySelectorAll("[id], a[name]")) {
    if (item.closest("svg, math, table, ul, ol, dl") && !item.matches("h1, h2, h3, h4, h5, h6, caption, li, td, th, a")) continue;
    const link = document.createElement("a");
    link.href = "#" + encodeURIComponent(item.id || item.name);
    link.textContent = "\u200b";
    link.style.cssText = "position: absolute; font-size: 1px";
    (item.tagName === "A" && item.parentElement || item).prepend(link);
  }
}

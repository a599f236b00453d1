// Tells whether an element is read: what a browser with scripts shows, but for what is struck out, which holds no more.
function isRead(item) {
  if (["BR", "WBR", "COL", "COLGROUP", "AREA"].includes(item.tagName) || item.closest("svg, math")) return true;
  const [style, box] = [getComputedStyle(item), item.getBoundingClientRect()];
  const shown = item.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || style.display === "contents";
  // what a screen reader alone is given is cut to a dot or set beside the page; formulas are drawn anew from it
  const cut = style.position === "absolute" && style.overflow !== "visible" && box.width <= 1 && box.height <= 1;
  const heard = (cut || box.right < 0) && !item.querySelector("math");
  const sign = item.matches("a[href^='#']") && !/[\p{L}\p{N}]/u.test(item.textContent); // "¶", leading to its own place
  const own = sign && document.getElementById(item.getAttribute("href").slice(1))?.contains(item);
  return shown && !heard && !own && !style.textDecorationLine.includes("line-through") && !item.matches("noscript:not(:has(img))");
}

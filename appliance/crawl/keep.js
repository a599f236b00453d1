// Returns a rendered page as it is kept: what is seen, without scripts, its pictures inside. In: pictures by address, characters at most.
([pictures, most]) => {
  for (const box of document.querySelectorAll("details")) box.open = true;
  const links = [...document.querySelectorAll("a[href], area[href]")].map((item) => item.href);
  for (const item of [...document.body.querySelectorAll("*")].filter((item) => !isRead(item))) item.remove();
  for (const item of document.querySelectorAll("script, noscript, style, link, template, iframe, object, embed, source")) item.remove();
  for (const item of document.querySelectorAll("img")) {
    const kept = pictures[item.currentSrc || item.src];
    item.removeAttribute("srcset");
    if (kept) item.src = kept; else item.removeAttribute("src");
  }
  const html = document.documentElement.outerHTML, text = document.body.innerText;
  const large = html.length + text.length > 4 * most;
  return large ? { large } : { large, html, links: [...new Set(links)], title: document.title, text };
}

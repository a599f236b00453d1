// The theme and the menu that chooses it: at once with script, kept by the same form that works without it.
const MEDIA = {
  dark: "screen and (prefers-color-scheme: dark)",
  sunlight: "screen and (prefers-contrast: more) and (prefers-color-scheme: light)",
};

/** Make a menu of themes change the page in place. */
export function setupLook(menu) {
  if (!menu) return;
  const form = menu.querySelector("form");
  form.addEventListener("submit", (event) => {
    const chosen = event.submitter;
    if (chosen?.name !== "theme") return; // another language is another page
    event.preventDefault();
    wear(chosen.value);
    for (const button of form.querySelectorAll("[name=theme]")) button.setAttribute("aria-pressed", String(button === chosen));
    const sent = new FormData(form, chosen);
    sent.set("quiet", "yes"); // answered without a page
    fetch(form.action, { method: "POST", body: new URLSearchParams(sent) }).catch(() => {});
  });
}

/** Close a fold that lies over the page when the reader goes on, or by Escape. */
export function setupFold(fold) {
  document.addEventListener("click", (event) => {
    if (fold.open && !fold.contains(event.target)) fold.open = false;
  });
  fold.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !fold.open) return;
    event.stopPropagation();
    fold.open = false;
    fold.querySelector("summary").focus();
  });
}

function wear(theme) {
  document.documentElement.dataset.theme = theme;
  for (const sheet of document.querySelectorAll("[data-sheet-of]")) {
    const name = sheet.dataset.sheetOf;
    sheet.media = theme ? (theme === name ? "screen" : "not all") : MEDIA[name];
  }
  const scheme = document.querySelector("meta[name=color-scheme]");
  scheme.content = { "": "light dark", dark: "dark" }[theme] ?? "light";
}

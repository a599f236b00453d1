// The page large, over everything: a tap comes nearer, a second tap goes back, Escape closes.
import { draw, svg } from "./common.js";

/** Open a dialog when `link` is tapped. `current()` tells the view and its title. */
export function setupZoom(link, current) {
  const dialog = document.createElement("dialog");
  dialog.className = "zoom";
  const close = document.createElement("button");
  close.type = "button";
  close.className = "close";
  close.textContent = "Close";
  const stage = document.createElement("div");
  stage.className = "zoom-stage";
  const sheet = svg("svg", { class: "sheet whole", role: "img" });
  stage.append(sheet);
  dialog.append(close, stage);
  document.body.append(dialog);

  const refresh = () => {
    const { view, title } = current();
    draw(sheet, view, "whole", title);
    dialog.setAttribute("aria-label", title);
  };
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    refresh();
    stage.classList.remove("near");
    dialog.showModal();
    sheet.querySelector(".strong, .faint")?.scrollIntoView({ block: "center", inline: "center" });
  });
  sheet.addEventListener("click", (event) => {
    const box = sheet.getBoundingClientRect();
    const at = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
    stage.classList.toggle("near");
    const now = sheet.getBoundingClientRect();
    stage.scrollLeft = at[0] * now.width - stage.clientWidth / 2;
    stage.scrollTop = at[1] * now.height - stage.clientHeight / 2;
  });
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog || event.target === stage) dialog.close();
  });
  return { refresh: () => dialog.open && refresh() };
}

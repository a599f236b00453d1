// The filter over a document's tree: a line stays when it, or one below it, holds every word typed.
import { say } from "./common.js";
import { counted, fold as folded, words as parted } from "./lists.js";

/** Give a tree its filter; the tools stay hidden without script. */
export function setupTree(tree) {
  if (!tree) return;
  const tools = document.querySelector("[data-tree-tools]");
  const input = tools.querySelector("[data-tree-filter]");
  const toggle = tools.querySelector("[data-tree-open]");
  const count = tools.querySelector("[data-tree-count]");
  const folds = [...tree.querySelectorAll("details")];
  const before = new Map(folds.map((fold) => [fold, fold.open]));
  tools.hidden = false;

  function filter() {
    const words = parted(input.value);
    let found = 0;
    const visit = (node) => {
      const fold = node.querySelector(":scope > details");
      const line = folded(node.querySelector(":scope > .line").textContent);
      const own = words.every((word) => line.includes(word));
      let below = false;
      for (const child of fold?.querySelectorAll(":scope > ul > [data-node]") ?? []) below = visit(child) || below;
      if (own) found += 1;
      node.hidden = !own && !below;
      node.classList.toggle("hit", own && words.length > 0);
      if (fold) fold.open = words.length ? below : before.get(fold);
      return own || below;
    };
    for (const node of tree.querySelectorAll(":scope > ul > [data-node]")) visit(node);
    count.textContent = words.length ? counted(found) : "";
  }

  input.addEventListener("input", filter);
  toggle.addEventListener("click", () => {
    const open = folds.some((fold) => !fold.open);
    for (const fold of folds) fold.open = open;
    toggle.textContent = say(open ? "closeall" : "openall");
  });
}

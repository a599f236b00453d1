// The page works without this script; with it, sources turn in place and labels are offered while typing.
import { setupAnswering } from "./answering.js";
import { rememberAnswer, setupRecent } from "./history.js";
import { setupDrawings, setupPage, setupTables } from "./common.js";
import { setupKeys } from "./keys.js";
import { setupLibrary, setupReturn } from "./library.js";
import { setupFold, setupLook } from "./look.js";
import { setupSuggest } from "./suggest.js";
import { setupTree } from "./tree.js";
import { setupViewer } from "./viewer.js";

// The head of a page was sent before it was known what would be found.
const title = document.querySelector("[data-title]")?.dataset.title;
if (title) document.title = `${title} – ${document.title.split(" – ").at(-1)}`;

rememberAnswer(document.querySelector("[data-keep]"));
setupRecent(document.querySelector("[data-recent]"));
setupLibrary(document.querySelector("[data-moved]"));
setupReturn(document.querySelector("form.ask"));
setupLook(document.querySelector("[data-look]"));
for (const fold of document.querySelectorAll("[data-look], [data-fold]")) setupFold(fold);
setupAnswering(document.querySelector("[data-writing]"));
setupSuggest(document.getElementById("q"));
setupTree(document.querySelector("[data-tree]"));
setupPage(document.querySelector(".full-page img[data-large]"));
setupDrawings(document.querySelectorAll("article [data-large]"));
setupTables(document.querySelectorAll(".grid .scroll"));
setupKeys(setupViewer(document.querySelector("[data-viewer]")));

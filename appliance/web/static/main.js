// The page works without this script; with it, sources turn in place and labels are offered while typing.
import { setupAnswering } from "./answering.js";
import { setupKeys } from "./keys.js";
import { setupSuggest } from "./suggest.js";
import { setupTree } from "./tree.js";
import { setupViewer } from "./viewer.js";

setupAnswering(document.querySelector("[data-writing]"));
setupSuggest(document.getElementById("q"));
setupTree(document.querySelector("[data-tree]"));
setupKeys(setupViewer(document.querySelector("[data-viewer]")));

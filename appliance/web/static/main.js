// The page works without this script; with it, sources turn in place and labels are offered while typing.
import { setupAnswering } from "./answering.js";
import { setupKeys } from "./keys.js";
import { setupLook } from "./look.js";
import { setupSuggest } from "./suggest.js";
import { setupTree } from "./tree.js";
import { setupViewer } from "./viewer.js";

setupLook(document.querySelector("[data-look]"));
setupAnswering(document.querySelector("[data-writing]"));
setupSuggest(document.getElementById("q"));
setupTree(document.querySelector("[data-tree]"));
setupKeys(setupViewer(document.querySelector("[data-viewer]")));

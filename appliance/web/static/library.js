// Another library under an open page: the page says so and offers its question to the new one.
import { rooted, say } from "./common.js";

const PAUSE = 15_000; // milliseconds between two looks, at most one each time that the page is seen again

/** Look, whenever the reader comes back to the page or a picture is missing, whether the library is the same. */
export function setupLibrary(line) {
  const own = document.documentElement.dataset.library;
  if (!line || !own) return;
  let last = 0;
  async function look() {
    if (document.hidden || Date.now() - last < PAUSE) return;
    last = Date.now();
    try {
      const response = await fetch(rooted("api/v1/suggest?q="), { method: "HEAD", cache: "no-store" });
      const now = response.headers.get("X-Library");
      if (response.ok && now && now !== own) tell();
    } catch {
      // out of reach: nothing is known
    }
  }

  function tell() {
    const link = document.createElement("a");
    link.className = "button plain";
    link.href = location.href.split("#")[0];
    link.textContent = say("reload");
    line.replaceChildren(Object.assign(document.createElement("span"), { textContent: say("moved") }), link);
    last = Infinity;
  }

  document.addEventListener("visibilitychange", look);
  addEventListener("focus", look);
  addEventListener("pageshow", (event) => event.persisted && look());
  addEventListener("online", look);
  document.addEventListener("error", (event) => event.target.matches?.("img, image") && look(), true);
}

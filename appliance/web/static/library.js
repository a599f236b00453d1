// Another library under an open page: the page says so and offers its question to the new one.
// A box out of reach: what was typed is not sent into nothing, it stays in its field and the page says so.
import { rooted, say } from "./common.js";

const PATIENCE = 8_000; // milliseconds in which a box answers
const SOON = 1_000; // milliseconds after which somebody who waits is told so
const PAUSE = 15_000; // milliseconds between two looks, but for those that a person causes
const TYPED = "codes.typed";
const SLOW = 60_000; // between the looks of a page that is only lying open

/** Look whether the library is the same: slowly, and whenever the reader comes back or a picture is missing. */
export function setupLibrary(line) {
  const own = document.documentElement.dataset.library;
  if (!line || !own) return;
  let last = 0;
  let told = false;
  typedBefore();

  /** Ask the box for its library; "" where it cannot be reached, null where it does not answer in time. */
  async function current() {
    try {
      const signal = AbortSignal.timeout(PATIENCE);
      const response = await fetch(rooted("api/v1/suggest?q="), { method: "HEAD", cache: "no-store", signal });
      return response.ok ? response.headers.get("X-Library") ?? own : own;
    } catch (error) {
      return error.name === "TimeoutError" ? null : "";
    }
  }

  async function look(at_once = false) {
    if (told || document.hidden || (!at_once && Date.now() - last < PAUSE)) return;
    if (!at_once) last = Date.now();
    const now = await current();
    if (now && now !== own) tell();
  }

  function tell() {
    const link = document.createElement("a");
    link.className = "button plain";
    link.href = location.href.split("#")[0];
    link.textContent = say("reload");
    link.addEventListener("click", keepTyped);
    line.replaceChildren(Object.assign(document.createElement("span"), { textContent: say("moved") }), link);
    told = true;
  }

  document.addEventListener("visibilitychange", () => look());
  addEventListener("focus", () => look());
  addEventListener("pageshow", () => look(true));
  addEventListener("online", () => look(true));
  document.addEventListener("error", (event) => event.target.matches?.("img, image") && look(), true);
  setInterval(look, SLOW);
  setupAsking(line, current);
}

/** Take what is half typed along to the page of the new library: each field that was changed, by its id. */
function keepTyped() {
  const fields = [...document.querySelectorAll("input[type=search][id], input[type=text][id], textarea[id]")];
  const typed = fields.filter((field) => field.value !== field.defaultValue).map((field) => [field.id, field.value]);
  try {
    if (typed.length) sessionStorage.setItem(TYPED, JSON.stringify({ at: location.pathname, typed }));
  } catch {
    // nothing is kept by this browser
  }
}

/** Put back what was half typed before the page was loaded anew. */
function typedBefore() {
  try {
    const found = JSON.parse(sessionStorage.getItem(TYPED) ?? "null");
    sessionStorage.removeItem(TYPED);
    if (found?.at !== location.pathname) return;
    for (const [id, value] of found.typed) {
      const field = document.getElementById(id);
      if (field?.matches("input[type=search], input[type=text], textarea")) field.value = value;
    }
  } catch {
    // nothing was kept, or something else
  }
}

/** Send what was typed only where the box answers: else its words stay, and the line says why. */
function setupAsking(line, current) {
  let cleared = null; // the form that goes now, for the box was just reached
  const tell = (words) => {
    line.dataset.away = "1";
    line.replaceChildren(Object.assign(document.createElement("span"), { textContent: say(words) }));
  };
  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (form === cleared || event.defaultPrevented || !leads(form)) {
      cleared = null;
      return;
    }
    event.preventDefault();
    const sender = event.submitter;
    const waiting = setTimeout(() => tell("waitbox"), SOON);
    const found = await current();
    clearTimeout(waiting);
    if (!found) {
      tell(found === null ? "silent" : "away");
      (form.querySelector("textarea") ?? form.elements.q)?.focus?.();
      return;
    }
    if (line.dataset.away) {
      delete line.dataset.away;
      line.replaceChildren();
    }
    cleared = form;
    form.requestSubmit(sender); // with the name and the address of the button pressed
  });
}

/** Tell whether sending a form leads away from what is shown: it asks something, or has the box keep something. */
const leads = (form) => form.method === "post" || Boolean(form.elements.q);

/** Let the filters and the question follow the address again after Back: browsers put back what was ticked. */
export function setupReturn(form) {
  addEventListener("pageshow", (event) => {
    const [way] = performance.getEntriesByType("navigation");
    if (!form || (!event.persisted && way?.type === "navigate")) return;
    for (const tick of form.querySelectorAll("input[type=checkbox]")) tick.checked = tick.defaultChecked;
    if (form.elements.q.defaultValue) form.elements.q.value = form.elements.q.defaultValue;
  });
}

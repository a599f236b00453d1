// Keys: "/" to the search box, j and k (or the arrows) along the sources. Letters can be switched off,
// as WCAG 2.1.4 asks; the choice stays on this device.
const STORE = "letter-keys";

/** Listen for keys; `turn` may be null. */
export function setupKeys(turn) {
  const line = document.querySelector("[data-keys]");
  const box = document.querySelector("[data-keys-switch]");
  line?.removeAttribute("hidden");
  if (box) {
    box.checked = read() !== "off";
    box.addEventListener("change", () => write(box.checked ? "on" : "off"));
  }
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.target.closest("input, select, textarea, [contenteditable], .scroll")) return;
    const letters = !box || box.checked;
    const step = { ArrowRight: 1, ArrowLeft: -1, ...(letters ? { j: 1, k: -1 } : {}) }[event.key];
    if (step && turn) {
      event.preventDefault();
      turn(step);
    } else if (letters && event.key === "/") {
      event.preventDefault();
      const search = document.getElementById("q");
      search?.focus();
      search?.select();
    }
  });
}

function read() {
  try {
    return localStorage.getItem(STORE);
  } catch {
    return null; // storage switched off in the browser
  }
}

function write(value) {
  try {
    localStorage.setItem(STORE, value);
  } catch {
    // the choice then holds for this page only
  }
}

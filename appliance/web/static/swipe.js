// A swipe along the page image goes to the next or the previous source; scrolling and pinching stay as they are.
const FAR = 56; // CSS pixels that a finger moves sideways
const STEEP = 2; // times as far sideways as up or down

/** Call `turn(step)` for a swipe over an element. */
export function setupSwipe(element, turn) {
  let start = null;
  element.addEventListener("touchstart", (event) => {
    const [touch] = event.touches;
    start = event.touches.length === 1 && !scrolls(event.target, element) ? { x: touch.clientX, y: touch.clientY } : null;
  }, { passive: true });
  element.addEventListener("touchmove", (event) => {
    if (event.touches.length > 1) start = null; // a pinch
  }, { passive: true });
  element.addEventListener("touchend", (event) => {
    if (!start) return;
    const { clientX, clientY } = event.changedTouches[0];
    const [x, y] = [clientX - start.x, clientY - start.y];
    start = null;
    if (Math.abs(x) >= FAR && Math.abs(x) > STEEP * Math.abs(y)) turn(x < 0 ? 1 : -1);
  }, { passive: true });
}

/** Tell whether something under the finger is scrolled sideways by it. */
function scrolls(target, within) {
  for (let at = target; at && at !== within.parentElement; at = at.parentElement) {
    if (at.scrollWidth > at.clientWidth + 1 && getComputedStyle(at).overflowX !== "visible") return true;
  }
  return false;
}

// The progress of a task on the page of updates; without script the page loads itself again.

const doing = document.querySelector("[data-look]");

/** Ask how far the task is, show it, and load the page again when it has ended. */
async function look() {
  try {
    const reply = await fetch(doing.dataset.look, { cache: "no-store" });
    const told = await reply.json();
    if (told.ended || String(told.number) !== doing.dataset.number) return location.replace(location.href);
    const bar = doing.querySelector("progress");
    doing.querySelector("[data-stage]").textContent = told.stage;
    document.title = told.share === null ? told.stage : `${Math.floor(100 * told.share)} % – ${told.stage}`;
    if (told.share === null) bar.removeAttribute("value");
    else bar.value = told.share;
  } catch {
    // the box starts again, or the page was closed: look once more
  }
  setTimeout(look, 500);
}

if (doing) setTimeout(look, 300);

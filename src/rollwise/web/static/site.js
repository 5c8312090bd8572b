// Forms that answer at once, the progress of long computations, and the steps of a reviewed game.
// Without this script, every link and every form loads a page.

/** The distance from a mistake, in pixels, within which a press on the chart selects it. */
const REACH = 22;

/** The number of the latest request for parts of the page, and of the latest one that is shown. */
let latest = 0, shown = 0;
/** The milliseconds after which a page that waits for a computation asks again. */
const PAUSE = 1000;
let timer = 0;

/** Returns a selector of the focused control that also fits after it was replaced. */
function focused() {
  const { dataset, name, tagName, value } = document.activeElement ?? {};
  if (dataset?.key) return `[data-key="${dataset.key}"]`;
  return name && `[name="${name}"]${tagName === "BUTTON" ? `[value="${value}"]` : ""}`;
}

/** Shows another address: replaces the parts of this page, or all of it if the parts differ. To load
 * the page instead could cancel a choice of the reader that is on its way; only a page with a script
 * of its own is loaded. */
async function load(href) {
  const number = (latest += 1);
  const reply = await fetch(href);
  const page = new DOMParser().parseFromString(await reply.text(), "text/html");
  if (number !== latest) {
    follow();
    return;
  }
  const [job, now] = [document, page].map((one) => one.querySelector(".job"));
  if (job && now && href === location.href) {
    job.textContent = now.textContent;
    follow();
    return;
  }
  let parts = [...document.querySelectorAll("[data-part]")];
  let fresh = parts.map((part) => page.querySelector(`[data-part="${part.dataset.part}"]`));
  if (!parts.length || fresh.includes(null)) [parts, fresh] = [[document.querySelector("main")], [page.querySelector("main")]];
  if (!fresh[0] || page.scripts.length > 1) {
    location.assign(href);
    return;
  }
  document.title = page.title;
  const control = focused();
  parts.forEach((part, index) => part.replaceChildren(...fresh[index].childNodes));
  history.replaceState(null, "", reply.url);
  shown = number;
  if (control) document.querySelector(control)?.focus();
  follow();
}

/** Shows the progress of the computation that the page waits for, and its result at the end. */
function follow() {
  const job = document.querySelector(".job");
  clearTimeout(timer);
  if (job) timer = setTimeout(() => { if (job.isConnected) load(location.href).catch(follow); }, PAUSE);
}

/** Goes to the step of the button with a key; returns whether there is such a button. */
function press(key) {
  const button = document.querySelector(`.stepper [data-key="${CSS.escape(key)}"]`);
  if (button?.hasAttribute("href")) load(button.getAttribute("href"));
  return button !== null;
}

/** Returns the step that a press on the chart selects: a mistake in reach, or the nearest step. */
function nearest(course, event) {
  const { left, top, width, height } = course.getBoundingClientRect();
  const away = ([x, y]) => Math.hypot((x / 100) * width - (event.clientX - left), (y / 100) * height - (event.clientY - top));
  const steps = JSON.parse(document.querySelector("[data-marked]").dataset.marked);
  const mistakes = steps.filter((step) => step[3] && away(step) < REACH);
  return (mistakes.length ? mistakes : steps).reduce((best, step) => (away(step) < away(best) ? step : best))[2];
}

document.addEventListener("change", ({ target }) => {
  if (target.form?.matches(".at-once")) target.form.requestSubmit();
});

document.addEventListener("click", (event) => {
  const course = event.target.closest(".stepper .course");
  const link = event.target.closest('a[href^="?step="]');
  if (event.ctrlKey || event.metaKey || (!course && !link)) return;
  event.preventDefault();
  load(course && event.detail ? `?step=${nearest(course, event)}` : link.getAttribute("href"));
  if (!event.target.closest(".stepper")) document.querySelector(".stepper").scrollIntoView();
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, select, textarea")) return;
  if (event.repeat && latest > shown) return;
  if (press(event.key)) event.preventDefault();
});

/** @type {Touch} */
let start;
document.addEventListener("touchstart", ({ changedTouches: [touch] }) => { start = touch; }, { passive: true });
document.addEventListener("touchend", ({ target, changedTouches: [touch] }) => {
  const across = touch.clientX - start.clientX, down = touch.clientY - start.clientY;
  const isSwipe = Math.abs(across) > 40 && Math.abs(across) > 2 * Math.abs(down);
  if (isSwipe && target.closest(".stepper")) press(across < 0 ? "ArrowRight" : "ArrowLeft");
});

follow();

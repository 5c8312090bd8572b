// Forms that answer at once, and the progress of long computations.
// Without this script, a form has a button, and a page that waits loads itself again.

/** The milliseconds after which a page that waits for a computation asks again. */
const PAUSE = 1000;

/** Shows how far the computation is that the page waits for, and its result at the end. To load the page then could
 * cancel a choice of the reader that is on its way; only a page with scripts of its own is loaded. */
async function follow() {
  const job = document.querySelector(".job");
  if (!job) return;
  await new Promise((done) => setTimeout(done, PAUSE));
  const reply = await fetch(location.href).catch(() => null), text = await reply?.text();
  if (reply) show(job, reply.url, new DOMParser().parseFromString(text, "text/html"));
  follow();
}

/** Shows what has come for a job. */
function show(job, address, page) {
  const now = page.querySelector(".job"), part = job.closest("[id]"), done = page.getElementById(part.id), { name } = document.activeElement;
  if (now) job.textContent = now.textContent;
  else if (!done || page.scripts.length > 1) location.reload();
  else {
    document.title = page.title;
    part.replaceChildren(...done.childNodes);
    history.replaceState(null, "", address);
    if (name) document.querySelector(`[name="${name}"]`)?.focus();
  }
}

document.addEventListener("change", ({ target }) => {
  if (target.form?.matches(".at-once")) target.form.requestSubmit();
});

follow();

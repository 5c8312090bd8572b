// Keys for practice questions, the number of dice to roll, late reasons, and shared results.
// Without this script, the dice are checkboxes and everything else is a button or a link.

/** Keys with another meaning, after which a code needs a leading s. */
const TAKEN = "1234567890-=rhut?";

const said = document.getElementById("said"), question = said?.textContent ?? "";
const roll = /** @type {HTMLButtonElement | null} */ (document.querySelector("[data-roll]"));
const dice = /** @type {HTMLInputElement[]} */ ([...document.querySelectorAll("[name=keep]")]);
const categories = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-code]")]);
const following = /** @type {HTMLAnchorElement | null} */ (document.querySelector("[data-next]"));

let typed = "";

/** Shows how many dice a roll takes; without dice to roll, the button does nothing. */
function count() {
  if (!roll) return;
  const number = dice.filter((die) => !die.checked).length;
  roll.textContent = number ? `Roll ${number} ${number === 1 ? "die" : "dice"}` : "Choose a category";
  roll.ariaDisabled = String(!number);
}

/** Returns the category that a code selects, and whether more keys might follow.
 * @param {string} code @param {boolean} isComplete */
function match(code, isComplete) {
  const words = [code, code[0] === "s" ? code.slice(1) : ""].filter(Boolean);
  const found = categories.filter(({ dataset: { code: own = "" } }) =>
    words.some((word) => own.startsWith(word)) || (code === "s" && TAKEN.includes(own[0])));
  const exact = found.find((category) => words.includes(category.dataset.code ?? ""));
  const selected = exact && (isComplete || found.length === 1) ? exact : isComplete && found.length === 1 ? found[0] : undefined;
  return { selected, goesOn: !isComplete && !selected && (found.length > 0 || code === "s") };
}

/** Adds a key to the code of a category.
 * @param {string} key */
function type(key) {
  if (key === "Escape") typed = "";
  else if (key === "Backspace") typed = typed.slice(0, -1);
  else if (key !== "Enter") typed += key.toLowerCase();
  const { selected, goesOn } = match(typed, key === "Enter");
  const code = typed;
  if (!goesOn) typed = "";
  if (said) said.textContent = !code ? question : goesOn ? `Score in: ${code}_ (Enter to confirm, Esc to cancel)` : `No open category has the code “${code}”.`;
  if (code) selected?.click(); // a filled category is not a button
}

/** Returns what a key does here.
 * @param {string} key @param {boolean} isOnControl whether a control has the focus, which answers Enter and space itself
 * @returns {(() => void) | undefined} */
function meaning(key, isOnControl) {
  const presses = key === " " || key === "Enter";
  if (following) {
    const goesOn = ["Enter", " ", "n", "ArrowRight"].includes(key) && !(key === "Enter" && isOnControl);
    return goesOn ? () => following.click() : undefined;
  }
  if (typed) return key !== " " && (key.length === 1 || ["Enter", "Escape", "Backspace"].includes(key)) ? () => type(key) : undefined;
  if (presses && isOnControl) return undefined;
  const die = dice.find(({ dataset }) => dataset.key === key);
  if (die) return () => die.click();
  if (key === " " || key === "r") return () => roll?.click();
  return /^[a-z]$/i.test(key) ? () => type(key) : undefined;
}

/** Asks for the reason of an answer until the server has computed it. */
async function awaitReason() {
  for (let part = document.querySelector("[data-waits]"); part; part = document.querySelector("[data-waits]")) {
    const page = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
    part.replaceWith(page.querySelector(".reason") ?? "");
  }
}

/** Shares a text, or copies it where nothing can be shared.
 * @param {HTMLElement} button */
async function share(button) {
  const text = document.getElementById(button.dataset.share ?? "")?.textContent ?? "";
  if (navigator.share) await navigator.share({ text }).catch(() => {});
  else await navigator.clipboard.writeText(text).then(() => { button.textContent = "Copied"; }, () => { button.textContent = "Select and copy the text above"; });
}

document.addEventListener("change", count);

document.addEventListener("click", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (target === roll && roll.ariaDisabled === "true") event.preventDefault();
  if (target.dataset.share) share(target);
});

document.addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || target.matches("select, textarea, input:not([type=checkbox])")) return;
  if (document.querySelector("[popover]:popover-open")) return;
  const act = meaning(event.key, target.matches("a, button, input"));
  if (!act) return;
  event.preventDefault();
  act();
});

for (const hidden of document.querySelectorAll("button[data-share]")) hidden.removeAttribute("hidden");
count();
awaitReason();

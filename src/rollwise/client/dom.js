/* Small helpers for the page. */

/** @param {string} id @returns {any} the element, whatever its kind */
export const at = (id) => document.getElementById(id);

/** Return the data in an element of the page.
 * @param {string} id */
export const dataOf = (id) => JSON.parse(at(id).textContent);

/** Add an element to a parent and return it.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag @param {Element} parent @param {object} [words] its properties
 * @returns {HTMLElementTagNameMap[T]} */
export const made = (tag, parent, words = {}) => parent.appendChild(Object.assign(document.createElement(tag), words));

/** @type {Map<string, () => void>} ends the wait for the answer of each open dialog */
const answers = new Map();

/** Open a dialog and return the value that it was closed with, which is empty after a click beside it.
 *
 * A browser sends the event of a closed dialog with a later frame. A key can open the dialog again before: then the
 * event belongs to the earlier question, and must not answer the new one.
 * @param {string} id @returns {Promise<string>} */
export function asked(id) {
  const sheet = at(id);
  answers.get(id)?.(); /* the earlier question, before its answer is cleared */
  sheet.returnValue = "";
  if (!sheet.open) sheet.showModal();
  sheet.onclick = (/** @type {MouseEvent} */ { target, clientX, clientY }) => {
    const { left, right, top, bottom } = sheet.getBoundingClientRect();
    if (target === sheet && (clientX < left || clientX > right || clientY < top || clientY > bottom)) sheet.close();
  };
  sheet.onclose = () => { if (!sheet.open) answers.get(id)?.(); };
  return new Promise((answer) => answers.set(id, () => { answers.delete(id); answer(sheet.returnValue); }));
}

/** Change the address of the page without loading it.
 * @param {string} address */
export function replaceAddress(address) {
  try {
    history.replaceState(null, "", address);
  } catch {
    /* Safari refuses more than some changes in a short time; a later one will do */
  }
}

/** Read something that the browser has stored for this page.
 * @param {string} name @param {boolean} [isOfTab] */
export function recalled(name, isOfTab) {
  try {
    return JSON.parse((isOfTab ? sessionStorage : localStorage).getItem(`rollwise ${name}`) ?? "null");
  } catch {
    return null; /* a browser might refuse storage to a local file */
  }
}

/** @param {string} name @param {unknown} what @param {boolean} [isOfTab] whether only this tab needs it, until it is closed */
export function remember(name, what, isOfTab) {
  try {
    (isOfTab ? sessionStorage : localStorage).setItem(`rollwise ${name}`, JSON.stringify(what));
  } catch {
    /* storage is refused: the game is lost when the page is closed */
  }
}

/* The start of the offline page. Its address can name a position, also as a puzzle, or ask for real dice:
   `#position=dice 11366`, `#puzzle=2026-11-27&position=dice 11366`, or `#real-dice`. */

import { at, dataOf, replaceAddress } from "./dom.js";
import { chooseLanguage, t } from "./languages.js";
import { LocalGame, scoresOf } from "./local.js";
import { stageAt } from "./position.js";
import { welcome } from "./sheets.js";
import { Table } from "./table.js";
import { readSolved } from "./turn.js";
import { unpackedJson } from "./unpacking.js";

chooseLanguage(await unpackedJson(dataOf("texts")), () => { table.lay(); showTitle(); });
const { rules, solved } = dataOf("data"), values = await readSolved(solved), wish = new URLSearchParams(location.hash.slice(1));
const position = wish.get("position"), day = wish.get("puzzle");
let trouble = "";

function wantedStage() {
  try {
    if (position !== null) return stageAt(rules, (k) => scoresOf(values, k), position);
  } catch (error) {
    trouble = /** @type {Error} */ (error).message;
  }
}

/** Return the puzzle of the day at a position.
 * @param {LocalGame} game */
const puzzleOf = (game) => game.puzzle(day ?? "", location.protocol.startsWith("http") ? location.href : "");

function showTitle() {
  if (quiz) at("title").textContent = t("{{questions}}: {{game}}", { questions: quiz.title, game: t(rules.title) });
}

const stage = wantedStage(), game = new LocalGame(rules, values, stage), quiz = stage && day ? puzzleOf(game) : null;
const table = new Table(quiz ?? game);
for (const button of document.querySelectorAll(quiz ? ".of-game" : ".of-puzzle")) button.remove();
showTitle();
if (trouble) table.refresh(trouble);
if (quiz?.isFinished) table.showEnd();
addEventListener("hashchange", () => location.reload()); /* another address of this page */
document.documentElement.classList.add("ready");
if (wish.has("real-dice")) replaceAddress(location.pathname); /* it asks only once */
if (wish.has("real-dice") || (position === null && await welcome() === "real")) table.askGame(true);

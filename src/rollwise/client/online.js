/* The start of a page of the table on a server: a game, its advice, its review, or some questions. */

import { asked, at } from "./dom.js";
import { Advice } from "./advice.js";
import { Quiz } from "./quiz.js";
import { SavedReplay } from "./saved_replay.js";
import { ServerGame, takeSeat } from "./server.js";
import { welcome } from "./sheets.js";
import { Table } from "./table.js";

const data = JSON.parse(at("data").textContent);
const kinds = {
  /** A game, whose changes also come from other windows. */
  async game() {
    const game = new ServerGame(data.rules, data, `${location.href.replace(/^http/, "ws").split(/[?#]/)[0]}/socket`);
    await game.connect();
    const table = new Table(game);
    game.show = (/** @type {boolean} */ isLater) => table.update(isLater);
    if (at("seat")?.hasAttribute("data-asks")) welcome().then(() => asked("seat")).then(() => takeSeat(location.pathname, "")); // closed without a choice
    else welcome();
  },
  async advice() {
    const game = new Advice(data), form = at("question-form"), table = new Table(game);
    game.show = () => { table.show(); table.explain(); };
    if (at("problem").textContent) asked("question");
    form.rules.onchange = () => { form.position.value = form.opponents.value = form.mover.value = ""; }; /* they belong to the game before */
  },
  async quiz() {
    const quiz = new Quiz(data, location.pathname + location.search), table = new Table(quiz);
    quiz.show = () => table.show();
    if (quiz.isFinished) table.showEnd();
  },
  async replay() {
    const replay = new SavedReplay(data, () => { location.href = location.pathname.replace(/\/steps$/, ""); });
    replay.goTo((Number.parseInt(new URLSearchParams(location.search).get("step") ?? "", 10) || 1) - 1);
    new Table(replay);
  },
};
await kinds[/** @type {keyof typeof kinds} */ (data.kind)]();
document.documentElement.classList.add("ready");

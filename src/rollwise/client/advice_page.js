/* The start of the page of advice. */

import { asked, at, dataOf } from "./dom.js";
import { chooseLanguage, t } from "./languages.js";
import { Advice } from "./advice.js";
import { Table } from "./table.js";

chooseLanguage(dataOf("texts"));
const game = new Advice(dataOf("data")), form = at("question-form"), table = new Table(game);
at("title").textContent = t("Advice: {{game}}", { game: t(game.rules.title) });
game.show = () => { table.show(); table.explain(); };
if (at("problem").textContent) asked("question");
form.rules.onchange = () => { form.position.value = form.opponents.value = form.mover.value = ""; }; /* they belong to the game before */
document.documentElement.classList.add("ready");

/* The start of a page of questions. */

import { at, dataOf } from "./dom.js";
import { chooseLanguage, t } from "./languages.js";
import { Quiz } from "./quiz.js";
import { Table } from "./table.js";

chooseLanguage(dataOf("texts"));
const quiz = new Quiz(dataOf("data"), location.pathname + location.search), table = new Table(quiz);
quiz.show = () => table.show();
at("title").textContent = t("{{questions}}: {{game}}", { questions: quiz.title, game: t(quiz.rules.title) });
if (quiz.isFinished) table.showEnd();
document.documentElement.classList.add("ready");

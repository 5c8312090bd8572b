/* The start of a page of questions. */

import { at } from "./dom.js";
import { Quiz } from "./quiz.js";
import { Table } from "./table.js";

const quiz = new Quiz(JSON.parse(at("data").textContent), location.pathname + location.search), table = new Table(quiz);
quiz.show = () => table.show();
if (quiz.isFinished) table.showEnd();
document.documentElement.classList.add("ready");

/* The start of a page of questions. */

import { dataOf } from "./dom.js";
import { speak } from "./languages.js";
import { Quiz } from "./quiz.js";
import { Table } from "./table.js";

speak(dataOf("texts"));
const quiz = new Quiz(dataOf("data"), location.pathname + location.search), table = new Table(quiz);
quiz.show = () => table.show();
if (quiz.isFinished) table.showEnd();
document.documentElement.classList.add("ready");

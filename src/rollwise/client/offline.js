/* The start of the offline page. */

import { asked, at, recalled, remember } from "./dom.js";
import { LocalGame } from "./local.js";
import { Table } from "./table.js";
import { readSolved } from "./turn.js";

const { rules, solved } = JSON.parse(at("data").textContent);
new Table(new LocalGame(rules, await readSolved(solved)));
document.documentElement.classList.add("ready");
if (!recalled("welcome")) {
  remember("welcome", true); // before it closes: a reload at that moment does not show it again
  asked("welcome");
}

/* The start of the offline page. */

import { at } from "./dom.js";
import { LocalGame } from "./local.js";
import { welcome } from "./sheets.js";
import { Table } from "./table.js";
import { readSolved } from "./turn.js";

const { rules, solved } = JSON.parse(at("data").textContent);
const table = new Table(new LocalGame(rules, await readSolved(solved)));
document.documentElement.classList.add("ready");
if (await welcome() === "real") table.askGame(true);

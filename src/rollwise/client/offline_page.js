/* The start of the offline page. */

import { dataOf } from "./dom.js";
import { chooseLanguage } from "./languages.js";
import { LocalGame } from "./local.js";
import { welcome } from "./sheets.js";
import { Table } from "./table.js";
import { readSolved } from "./turn.js";
import { unpackedJson } from "./unpacking.js";

chooseLanguage(await unpackedJson(dataOf("texts")), () => table.lay());
const { rules, solved } = dataOf("data");
const table = new Table(new LocalGame(rules, await readSolved(solved)));
document.documentElement.classList.add("ready");
if (await welcome() === "real") table.askGame(true);

/* The start of the page of a reviewed game, decision by decision. */

import { dataOf } from "./dom.js";
import { chooseLanguage } from "./languages.js";
import { SavedReplay } from "./saved_replay.js";
import { Table } from "./table.js";

chooseLanguage(dataOf("texts"));
const replay = new SavedReplay(dataOf("data"), () => { location.href = location.pathname.replace(/\/steps$/, ""); });
replay.goTo((Number.parseInt(new URLSearchParams(location.search).get("step") ?? "", 10) || 1) - 1);
new Table(replay);
document.documentElement.classList.add("ready");

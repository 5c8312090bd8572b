/* The start of the page of a reviewed game, decision by decision. */

import { at } from "./dom.js";
import { SavedReplay } from "./saved_replay.js";
import { Table } from "./table.js";

const replay = new SavedReplay(JSON.parse(at("data").textContent), () => { location.href = location.pathname.replace(/\/steps$/, ""); });
replay.goTo((Number.parseInt(new URLSearchParams(location.search).get("step") ?? "", 10) || 1) - 1);
new Table(replay);
document.documentElement.classList.add("ready");

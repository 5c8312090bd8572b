/* The start of a game on a server. */

import { asked, at } from "./dom.js";
import { ServerGame, takeSeat } from "./server.js";
import { Table } from "./table.js";

const { rules, players, people, realDice, own } = JSON.parse(at("data").textContent);
const game = new ServerGame(rules, { players, people, realDice, own }, `${location.href.replace(/^http/, "ws").split(/[?#]/)[0]}/socket`);
await game.connect();
const table = new Table(game);
game.show = (/** @type {boolean} */ isLater) => table.update(isLater);
document.documentElement.classList.add("ready");
if (at("seat")?.hasAttribute("data-asks")) asked("seat").then(() => takeSeat(location.pathname, "")); // closed without a choice

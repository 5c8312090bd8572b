/* The start of a game on a server. */

import { at } from "./dom.js";
import { ServerGame } from "./server.js";
import { Table } from "./table.js";

const { rules, players, people, realDice } = JSON.parse(at("data").textContent);
const game = new ServerGame(rules, { players, people, realDice }, `${location.href.replace(/^http/, "ws").split(/[?#]/)[0]}/socket`);
await game.connect();
const table = new Table(game);
game.show = (/** @type {boolean} */ isLater) => table.update(isLater);
document.documentElement.classList.add("ready");

/* The start of the page of a game on a server, whose changes also come from other windows. */

import { asked, at, dataOf } from "./dom.js";
import { chooseLanguage } from "./languages.js";
import { ServerGame, takeSeat } from "./server.js";
import { welcome } from "./sheets.js";
import { Table } from "./table.js";

chooseLanguage(dataOf("texts"));
const data = dataOf("data");
const game = new ServerGame(data.rules, data, `${location.href.replace(/^http/, "ws").split(/[?#]/)[0]}/socket`);
await game.connect();
const table = new Table(game);
game.show = (/** @type {boolean} */ isLater) => table.update(isLater);
if (at("seat")?.hasAttribute("data-asks")) welcome().then(() => asked("seat")).then(() => takeSeat(location.pathname, "")); // closed without a choice
else welcome();
document.documentElement.classList.add("ready");

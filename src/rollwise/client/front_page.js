/* The front page of a site of games: the puzzle of the day, and games that work without a network. */

import { at, dataOf, made } from "./dom.js";
import { chooseLanguage, tn, today } from "./languages.js";
import { unpackedJson } from "./unpacking.js";

const PAGES = "rollwise"; /* what the service worker keeps */
const DAY = 86_400_000; /* milliseconds */

/** @type {NodeListOf<HTMLAnchorElement>} */
const links = document.querySelectorAll("main a[href]");

function showSizes() {
  for (const size of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-dice]"))) {
    const dice = Number(size.dataset.dice), turns = Number(size.dataset.turns);
    size.textContent = `${tn(dice, "{{count}} die", "{{count}} dice")}, ${tn(turns, "{{count}} turn", "{{count}} turns")}`;
  }
}

/** @param {{file: string, first: string, positions: string[]}} puzzles one a day from the first */
function showPuzzle({ file, first, positions }) {
  const day = today(), position = positions[(Date.parse(day) - Date.parse(first)) / DAY], offer = at("puzzle");
  if (!position) return;
  offer.href = `${file}#${new URLSearchParams({ puzzle: day, position })}`;
  offer.hidden = false;
  for (const face of position.split(" ")[1]) {
    const pips = made("span", made("span", offer.querySelector(".dice"), { className: "die" }), { className: `face pips p${face}` });
    for (let pip = 0; pip < Number(face); pip++) made("i", pips);
  }
}

/** Keep pages on the device.
 * @param {string[]} addresses */
async function keep(addresses) {
  const pages = await caches.open(PAGES);
  for (const address of addresses) if (!await pages.match(address)) await pages.add(address);
}

/** Without a network, show only links to pages on the device. */
async function showKept() {
  const isAway = !navigator.onLine, pages = await caches.open(PAGES);
  at("away").hidden = !isAway;
  for (const link of links) link.hidden = isAway && !await pages.match(link.href);
}

async function workWithoutNetwork() {
  const games = [...links].filter((link) => !link.matches("[href^=docs]")).map(({ href }) => href), first = [".", ...files, games[0]];
  const keepAll = () => keep([...first, ...games]);
  for (const change of ["online", "offline"]) addEventListener(change, showKept);
  addEventListener("appinstalled", () => { at("add").hidden = true; keepAll(); });
  await navigator.serviceWorker.register("worker.js");
  await showKept();
  await (matchMedia("(display-mode: standalone)").matches ? keepAll() : keep(first));
}

/* A browser that can add the page to the home screen offers that by a button. */
addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  at("add").hidden = false;
  at("add").onclick = () => /** @type {any} */ (event).prompt();
});

const { puzzles, files } = dataOf("data");
chooseLanguage(await unpackedJson(dataOf("texts")), showSizes);
showSizes();
showPuzzle(await unpackedJson(puzzles));
if (location.protocol.startsWith("http")) await workWithoutNetwork().catch(() => {}); /* a browser can refuse to keep pages */
document.documentElement.classList.add("ready");

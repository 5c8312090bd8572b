// How the search of the site ranks pages that contain the same words: guides first, then explanations and
// lessons, then games, and then reference pages, which contain almost every word.
const GUIDE = /^(index|install|start|faq|strategy|one-page|mistakes|opening-book|advice|play|review|which-rules|rules|house-rules|objectives|strategies|python|learning|teachers)$/;
const DETAIL = /^(architecture|cluster|large-games|published|two-player-theory)$/;

var Scorer = { // "var", because another script of the page declares it too
  score: ([page, , , , score, , kind]) => {
    if (page.startsWith("project/")) return score - 6;
    if (/^reference\/(commands|json|python)/.test(page)) return score - 4;
    if (kind === "text" && page.startsWith("games/")) return score - 3;
    if (kind === "text" && DETAIL.test(page)) return score - 2;
    return GUIDE.test(page) ? score + 3 : score;
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};

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

// Words of questions, beside those that Sphinx leaves out.
for (const word of ["can", "get", "just", "many", "much", "must", "need", "want", "will"]) stopwords.add(word);

const sum = numbers => numbers.reduce((total, number) => total + number, 0);
const isVariant = (a, b) => Math.min(a.length, b.length) > 3 && (a.startsWith(b) || b.startsWith(a));

// Finds the best place of each page: its title, a section, or an index entry. A word of the query counts more the fewer
// pages have it, and more in the place than in the text of the page; a variant counts less than the word itself. A page
// that lacks a word loses a little more.
Search.performTermsSearch = searchTerms => {
  const { alltitles, docnames, filenames, indexentries, terms, titles, titleterms } = Search._index;
  const words = [...searchTerms];
  const stemmer = new Stemmer();
  const weigh = (stems, whole, part) => words.map(word =>
    stems.includes(word) ? whole : stems.some(stem => isVariant(stem, word)) ? part : 0);

  const texts = titles.map(() => []); // the stems of each page
  for (const [stem, pages] of [...Object.entries(terms), ...Object.entries(titleterms)]) {
    for (const page of [pages].flat()) texts[page].push(stem);
  }
  const inText = texts.map(stems => weigh(stems, Scorer.term, Scorer.partialTerm));
  const rarity = words.map((_, i) =>
    Math.log((titles.length + 2) / (sum(inText.map(weights => weights[i])) / Scorer.term + 1)));

  const best = new Map(); // from the number of a page
  const consider = (text, page, id) => {
    const name = text === titles[page] ? text : `${titles[page]} ${text}`;
    const stems = splitQuery(name.toLowerCase()).map(word => stemmer.stemWord(word));
    const weights = weigh(stems, Scorer.title, Scorer.partialTitle).map((weight, i) => Math.max(weight, inText[page][i]));
    const covered = stems.filter(stem => words.includes(stem)).length / stems.length;
    const score = sum(weights.map((weight, i) => weight * rarity[i])) / sum(rarity) + 2 * covered;
    const complete = words.every((word, i) => weights[i] > 0 || word.length < 3);
    if (score > (best.get(page)?.score ?? 0)) best.set(page, { text, page, id, score, complete });
  };
  titles.forEach((title, page) => consider(title, page, null));
  for (const [text, places] of [...Object.entries(alltitles), ...Object.entries(indexentries)]) {
    for (const [page, id] of places) consider(text, page, id);
  }

  const found = [...best.values()];
  const lowest = Math.max(...found.map(({ score }) => score)) / 4;
  return found.filter(({ score }) => score > lowest).map(({ text, page, id, score, complete }) => {
    const title = id && text in alltitles ? `${titles[page]} > ${text}` : titles[page];
    return [docnames[page], title, id ? `#${id}` : "", null, complete ? score : score - 2, filenames[page], "text"];
  });
};

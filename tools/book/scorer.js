// How the search weighs what it finds: as Sphinx does, but of two equal results, a chapter comes before the glossary
// and the table of search words, which have every term.
var Scorer = {
  score: ([page, , , , score]) => score - (["book/glossary", "book/about"].includes(page) ? 1 : 0),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};

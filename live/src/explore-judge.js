// One more document is judged, and both sums move. See book/concepts/blind-spots.ipynb.

import { bars, explore, slider } from "./explore.js";
import { dcg, idcg, ndcg, RULES, terms } from "./formulas.js";

const MOST = 3;

explore("explore-judge", ({ grades: given = "" }) => {
  /** @type {number[]} */
  const others = JSON.parse(given);
  const last = others.length + 1;
  const place = slider("Rank of the page:", { min: 1, max: last, step: 1, value: last }, 0);
  const judged = slider("Its grade:", { min: 0, max: MOST, step: 1, value: 1 }, 0);
  /** @param {number} rank @param {number} grade */
  const order = (rank, grade) => others.toSpliced(rank - 1, 0, grade);
  /** @param {number} rank @param {number} grade */
  const raised = (rank, grade) => ndcg(order(rank, grade)) - ndcg(order(rank, 0));
  const full = idcg([...others, MOST]);
  return {
    controls: [judged.element, place.element],
    task: `with grade ${MOST}, find the lowest place in the list where judging the page still raises NDCG.`,
    look: () => {
      const [rank, grade] = [place.value(), judged.value()];
      const now = order(rank, grade);
      const unjudged = order(rank, 0);
      const best = now.toSorted((a, b) => b - a);
      const rows = [
        { name: "DCG", grades: now, at: rank - 1 },
        { name: "Ideal DCG", grades: best, at: best.lastIndexOf(grade) },
      ].map(({ name, grades, at }) => {
        const parts = terms(grades, RULES.STANDARD).map((size, i) => ({
          size,
          label: `${grades[i]}`,
          level: grades[i],
          marked: i === at,
        }));
        return { name, parts, total: dcg(grades) };
      });
      const change = raised(rank, grade);
      const verb = Math.abs(change) < 1e-12 ? "stays" : change > 0 ? "rises" : "falls";
      const [before, after] = [unjudged, now].map((grades) => ndcg(grades).toFixed(3));
      const grown = [dcg(now) - dcg(unjudged), idcg(now) - idcg(unjudged)].map((sum) => sum.toFixed(3));
      return {
        picture: [bars(rows, full)],
        said: [
          `The DCG grows by ${grown[0]}, the ideal DCG by ${grown[1]}:`,
          verb === "stays" ? `NDCG stays at ${after}.` : `NDCG ${verb} from ${before} to ${after}.`,
        ].join(" "),
        done: grade === MOST && change > 0 && !(raised(rank + 1, MOST) > 0),
      };
    },
  };
});

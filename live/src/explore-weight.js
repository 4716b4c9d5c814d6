// The weight of a query, with two systems that change places. See book/concepts/queries.ipynb.

import { compare, explore, leadLine, leadOf, slider } from "./explore.js";
import { pooledWeight, weighted } from "./systems.js";

explore("explore-weight", ({ a = "", b = "", start }) => {
  const rankings = [JSON.parse(a), JSON.parse(b)];
  const weight = slider("Weight of the boots:", { min: 0, max: 1, step: 0.01, value: Number(start) }, 2);
  const summaries = new Map([
    [(1 / 2).toFixed(2), "the mean of ratios"],
    [pooledWeight(rankings[0]).toFixed(2), "the ratio of sums"],
  ]);
  /** @param {number} w */
  const systems = (w) => rankings.map((each) => weighted(each, w));
  const leads = Array.from({ length: 101 }, (_, i) => leadOf(systems(i / 100)));
  return {
    controls: [weight.element],
    task: "find the smallest weight, to two decimals, with which B is ahead.",
    look: () => {
      const w = weight.value();
      const { picture, first, lead } = compare(systems(w), 1);
      const summary = summaries.get(w.toFixed(2));
      return {
        picture: [...picture, leadLine(leads, w, "A ahead", "B ahead")],
        said: `${first} is ahead${summary ? `: this is the weight in ${summary}` : ""}.`,
        done: lead < 0 && leadOf(systems(w - 0.01)) >= 0,
      };
    },
  };
});

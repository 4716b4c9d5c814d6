// The gain of grade 3, with two rankings that change places. See book/concepts/conventions.ipynb.

import { compare, explore, leadLine, leadOf, slider } from "./explore.js";
import { gained } from "./systems.js";

const MOST = 3;

explore("explore-gain", ({ a = "", b = "", start }) => {
  const rankings = [JSON.parse(a), JSON.parse(b)];
  const gain = slider(
    "Gain x of grade 3 (grade 2 has 1, grade 1 has 0.5):",
    { min: 1, max: MOST, step: 0.01, value: Number(start) },
    2,
  );
  const full = Math.max(...rankings.map((grades) => gained(grades, MOST).total));
  /** @param {number} x */
  const systems = (x) => rankings.map((grades) => gained(grades, x));
  const leads = Array.from({ length: 100 * (MOST - 1) + 1 }, (_, i) => leadOf(systems(1 + i / 100)));
  return {
    controls: [gain.element],
    task: "find the smallest x, to two decimals, with which A is ahead.",
    look: () => {
      const x = gain.value();
      const { picture, first, lead } = compare(systems(x), full);
      return {
        picture: [...picture, leadLine(leads, (x - 1) / (MOST - 1), "A ahead", "B ahead")],
        said: `${first} is ahead. Each part of a bar is the term of a result, with its grade. The line is the lead of A at every x.`,
        done: lead > 0 && leadOf(systems(x - 0.01)) <= 0,
      };
    },
  };
});

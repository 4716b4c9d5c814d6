// What the tests of Python ask the twin: cases go in, answers come out. Python joins this, too, for a browser.

import { candidates, causesOf, keyOf, SENTENCES } from "../src/causes.js";
import { cg, dcg, discounts, gains, idcg, measured, ndcg, terms } from "../src/formulas.js";
import { covers, ofMeasure, readNumber, readWithComma, roundedTo } from "../src/numbers.js";

/** @typedef {{text: string, point: string, values: (number | string)[]}} NumberCase */
/** @typedef {{grades: number[], judged: number[] | null, k: number | null, rule: import("../src/formulas.js").Rule}} Table */

/** @param {NumberCase} asked */
function ofNumber({ text, point, values }) {
  const printed = readNumber(text, point);
  if (!printed) return null;
  return {
    text: printed.text,
    units: String(printed.units),
    unit: [String(printed.numerator), String(printed.denominator)],
    covers: values.map((value) => covers(printed, Number(value))), // what is not finite comes as text
    rounded: values.map((value) => (typeof value === "number" ? roundedTo(printed, value) : null)),
  };
}

/** @param {Table & {printed: Record<string, string[]>}} asked */
function ofTable({ grades, judged, k, rule, printed }) {
  /** @type {Record<string, number>} */
  const values = {
    CG: cg(grades, k),
    DCG: dcg(grades, k, rule),
    IDCG: idcg(grades, k, rule, judged),
    NDCG: ndcg(grades, k, rule, judged),
  };
  const verdicts = Object.entries(printed).map(([name, texts]) => [
    name,
    texts.map((text) => {
      const read = readNumber(text);
      const number = read && ofMeasure(read, name);
      return number && [covers(number, values[name]), roundedTo(number, values[name])];
    }),
  ]);
  return {
    ...values, // what is not a number becomes null in JSON
    verdicts: Object.fromEntries(verdicts),
    gains: gains(grades, rule),
    discounts: discounts(grades.length, rule),
    terms: terms(grades, rule),
  };
}

/** @param {Table & {measure: string, stated: string}} asked */
function ofSlip({ measure, stated, ...ranking }) {
  const number = ofMeasure(/** @type {any} */ (readNumber(stated)), measure);
  return {
    agrees: covers(number, measured(measure, ranking)),
    causes: causesOf(number, measure, ranking).map(({ code, label }) => [code, label]),
    tried: candidates(measure, ranking).map((each) => [each.code, each.label, keyOf(each)]),
  };
}

/** @param {{numbers: NumberCase[], commas: string[], tables: any[], slips?: any[]}} cases */
function answer({ numbers, commas, tables, slips = [] }) {
  return {
    slips: slips.map(ofSlip),
    sentences: Object.keys(SENTENCES),
    numbers: numbers.map(ofNumber),
    commas: commas
      .map((text) => readWithComma(text))
      .map(({ printed, comma }) => [printed && String(printed.units), comma]),
    tables: tables.map(ofTable),
  };
}

Object.assign(globalThis, { twin: answer });

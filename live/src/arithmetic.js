// A calculation as it is written, such as 3/log2(2) + 2/1.58: between which values it lies, and its terms.

/**
 * @typedef {[number, number]} Bounds the least and the greatest value
 * @typedef {{ start: number, end: number, text: string, bounds: Bounds }} Term
 * @typedef {{ bounds: Bounds, terms: Term[] }} Calculation
 */

const LOG = String.raw`\\?(?:(?:math|np|numpy)\.)?log`;
const TOKENS = new RegExp(
  String.raw`(?<blank>\s+|\\left|\\right|\\[,;!]|[$&])` +
    String.raw`|(?<fraction>\\[dt]?frac)` +
    `|(?<log>\\\\?(?:ln|lb|ld)|${LOG})(?:_?\\{?(?<base>10|[2e₂])\\}?(?=\\s*[({\\d\\\\]))?` +
    String.raw`|(?<number>\d+(?:\.\d+)?|\.\d+)(?<percent>(?:\s|\\,)*\\?%)?(?<half>[½¼¾⅓⅔])?` +
    "|(?<sign>[½¼¾⅓⅔])" +
    String.raw`|(?<times>\\cdot|\\times|[*·⋅×])|(?<over>[/÷⁄])|(?<plus>\+)|(?<minus>[-−])|(?<power>\^)` +
    "|(?<open>[({])|(?<close>[)}])|(?<comma>[;,])",
  "iy",
);
/** @type {Record<string, number>} */
const FRACTIONS = { "½": 1 / 2, "¼": 1 / 4, "¾": 3 / 4, "⅓": 1 / 3, "⅔": 2 / 3 };
/** @type {Record<string, number>} */
const BASES = { 2: 2, "₂": 2, 10: 10, e: Math.E };
const DEEPEST = 20;

/**
 * What a text comes to, or null if it is no calculation. A decimal is taken as any value that could have been rounded to it.
 * @param {string} text
 * @returns {Calculation | null}
 */
export function calculate(text) {
  try {
    return new Reader(text).whole();
  } catch {
    return null;
  }
}

/** @typedef {{ kind: string, start: number, end: number, groups: Record<string, string | undefined> }} Token */

class Reader {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
    this.at = 0;
    this.depth = 0;
    this.tokens = tokensOf(text);
  }

  /** @param {string} kind */
  is(kind) {
    return this.tokens[this.at]?.kind === kind;
  }

  /** @param {string} kind */
  take(kind) {
    if (!this.is(kind)) throw new Error(`expected ${kind}`);
    this.at += 1;
    return this.tokens[this.at - 1];
  }

  /** @returns {Calculation} */
  whole() {
    const found = this.sum();
    if (this.at < this.tokens.length) throw new Error("expected an end");
    return found;
  }

  /** @returns {Calculation} */
  sum() {
    /** @type {Term[]} */
    const terms = [];
    let negative = this.is("minus");
    if (negative) this.at += 1;
    do {
      const start = this.tokens[this.at]?.start;
      const bounds = this.product();
      const end = this.tokens[this.at - 1].end;
      terms.push({
        start,
        end,
        text: this.text.slice(start, end),
        bounds: negative ? [-bounds[1], -bounds[0]] : bounds,
      });
      negative = this.is("minus");
    } while ((this.is("plus") || this.is("minus")) && ++this.at);
    return { bounds: boundsOfSum(terms.map(({ bounds }) => bounds)), terms };
  }

  /** @returns {Bounds} */
  product() {
    let bounds = this.power();
    for (;;) {
      if (this.is("times")) {
        this.at += 1;
        bounds = ends(bounds, this.power(), (one, other) => one * other);
      } else if (this.is("over")) {
        this.at += 1;
        bounds = boundsOfRatio(bounds, this.power());
      } else return bounds;
    }
  }

  /** @returns {Bounds} */
  power() {
    const base = this.one();
    if (!this.is("power")) return base;
    this.at += 1;
    return ends(base, this.one(), (one, other) => one ** other);
  }

  /** @returns {Bounds} */
  one() {
    this.depth += 1;
    if (this.depth > DEEPEST) throw new Error("too deep");
    const found = this.inner();
    this.depth -= 1;
    return found;
  }

  /** @returns {Bounds} */
  inner() {
    if (this.is("open")) return this.group();
    if (this.is("sign")) return same(FRACTIONS[this.take("sign").groups.sign ?? ""]);
    if (this.is("fraction")) {
      this.at += 1;
      return boundsOfRatio(this.group(), this.group());
    }
    if (this.is("log")) return this.logarithm();
    return numberOf(this.take("number").groups);
  }

  /** @returns {Bounds} */
  group() {
    this.take("open");
    const { bounds } = this.sum();
    this.take("close");
    return bounds;
  }

  /** @returns {Bounds} */
  logarithm() {
    const { log = "", base } = this.take("log").groups;
    const natural = /ln$/i.test(log) || (log.includes(".") && !base); // math.log(3)
    let divisor = Math.log(natural ? Math.E : BASES[base?.toLowerCase() ?? "2"]);
    if (!this.is("open")) return ends(this.one(), same(divisor), (of, by) => Math.log(of) / by);
    this.take("open");
    const { bounds } = this.sum();
    if (this.is("comma")) {
      this.at += 1;
      divisor = Math.log(this.one()[0]);
    }
    this.take("close");
    return ends(bounds, same(divisor), (of, by) => Math.log(of) / by);
  }
}

/** @param {string} text */
function tokensOf(text) {
  /** @type {Token[]} */
  const tokens = [];
  TOKENS.lastIndex = 0;
  while (TOKENS.lastIndex < text.length) {
    const start = TOKENS.lastIndex;
    const found = TOKENS.exec(text);
    if (!found?.groups) throw new Error("no calculation");
    const kind = Object.keys(found.groups).find((name) => found.groups?.[name] !== undefined) ?? "";
    if (kind !== "blank") tokens.push({ kind, start, end: TOKENS.lastIndex, groups: found.groups });
  }
  return tokens;
}

/** @param {Record<string, string | undefined>} groups @returns {Bounds} */
function numberOf({ number = "", percent, half }) {
  const scale = percent ? 100 : 1;
  const value = Number(number) + (half ? FRACTIONS[half] : 0);
  const decimals = number.split(".")[1]?.length ?? 0;
  const slack = decimals || percent ? 10 ** -decimals / 2 : 0;
  return [(value - slack) / scale, (value + slack) / scale];
}

/** @param {number} value @returns {Bounds} */
function same(value) {
  return [value, value];
}

/** @param {Bounds[]} parts @returns {Bounds} */
export function boundsOfSum(parts) {
  return [parts.reduce((sum, [low]) => sum + low, 0), parts.reduce((sum, [, high]) => sum + high, 0)];
}

/** @param {Bounds} above @param {Bounds} below */
function boundsOfRatio(above, below) {
  if (below[0] <= 0 && below[1] >= 0) throw new Error("a division by 0");
  return ends(above, below, (one, other) => one / other);
}

/**
 * @param {Bounds} one
 * @param {Bounds} other
 * @param {(one: number, other: number) => number} work
 * @returns {Bounds}
 */
function ends(one, other, work) {
  const found = one.flatMap((a) => other.map((b) => work(a, b)));
  if (!found.every(Number.isFinite)) throw new Error("no value");
  return [Math.min(...found), Math.max(...found)];
}

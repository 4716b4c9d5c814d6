// A number as somebody printed it, and whether a value agrees with it: the rule of ndcg_ref/stated/number.py, exactly.

/**
 * @typedef {object} Printed
 * @property {string} text the number as printed, without the blanks around it
 * @property {bigint} units its value in units of its last printed digit
 * @property {bigint} numerator of one unit of the last printed digit
 * @property {bigint} denominator of one unit of the last printed digit
 * @property {boolean} exact whether it claims to be the value itself, as a fraction or the 1 of a perfect NDCG does
 * @property {number} decimals how many digits stand after the decimal sign
 * @property {string} tail a percent sign, an exponent, or nothing
 * @property {boolean} leadingZero whether a digit stands before the decimal sign
 * @property {boolean} grouped whether thousands are grouped
 * @property {string} point the decimal sign
 */

const FRACTION = /^(?:≈[ \xa0]*)?([-−]?)([0-9]+)\/([0-9]+)$/;
const DECIMAL =
  /^(?:≈[ \xa0]*)?([-−]?)((?:[1-9][0-9]{0,2}(?:,[0-9]{3})+|[0-9]+)?)(?:\.([0-9]+))?(%|[eE][-−+]?[0-9]{1,3})?$/;
const DECIMAL_COMMA = /^(?:≈[ \xa0]*)?[-−]?[0-9]+,[0-9]+%?$/;
const BLANKS = "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000";
const LONGEST = 200;

// Python's blanks, which are not those of trim()
/** @param {string} text */
function strip(text) {
  /** @param {string} sign */
  const blank = (sign) => BLANKS.includes(sign) || (sign >= "\u2000" && sign <= "\u200a");
  let start = 0;
  let end = text.length;
  while (start < end && blank(text[start])) start++;
  while (end > start && blank(text[end - 1])) end--;
  return text.slice(start, end);
}

/**
 * Read a printed number, such as 0.63, .5, 1e-3, 97.8%, 1/3 or 1,062; null where the text is none.
 * @param {string} text
 * @param {string} [point] the decimal sign, "." or ","; the other one groups thousands
 * @returns {Printed | null}
 */
export function readNumber(text, point = ".") {
  const stripped = strip(text);
  if (stripped.length > LONGEST) return null;
  const swapped = point === "." ? stripped : stripped.replace(/[.,]/g, (sign) => (sign === "." ? "," : "."));
  const plain = { text: stripped, decimals: 0, tail: "", leadingZero: true, grouped: false, point: "." };
  const ratio = FRACTION.exec(swapped);
  if (ratio) {
    const denominator = BigInt(ratio[3]);
    const units = ratio[1] ? -BigInt(ratio[2]) : BigInt(ratio[2]);
    return denominator ? { ...plain, units, numerator: 1n, denominator, exact: true } : null;
  }
  const found = DECIMAL.exec(swapped);
  if (!found || !(found[2] || found[3])) return null;
  const [, minus, whole, part = "", tail = ""] = found;
  const size = BigInt(whole.replaceAll(",", "") + part);
  const exponent = tail === "%" ? -2 : Number(tail.slice(1).replace("−", "-"));
  const power = exponent - part.length;
  return {
    ...plain,
    units: minus ? -size : size,
    numerator: power > 0 ? 10n ** BigInt(power) : 1n,
    denominator: power < 0 ? 10n ** BigInt(-power) : 1n,
    exact: false,
    decimals: part.length,
    tail,
    leadingZero: whole !== "",
    grouped: whole.includes(","),
    point,
  };
}

/**
 * The same, where a decimal comma is read, too: the caller then says so.
 * @param {string} text
 * @returns {{printed: Printed | null, comma: boolean}}
 */
export function readWithComma(text) {
  const printed = readNumber(text);
  if (printed || !DECIMAL_COMMA.test(strip(text))) return { printed, comma: false };
  return { printed: readNumber(text, ","), comma: true };
}

const BETWEEN_0_AND_1 = ["NDCG"]; // of the measures of the live pages

/**
 * The same number as a value of a measure: a bare 0 or 1 of one between 0 and 1 is exact.
 * @param {Printed} printed
 * @param {string} measure
 */
export function ofMeasure(printed, measure) {
  const exact = printed.exact || (BETWEEN_0_AND_1.includes(measure) && ["0", "1"].includes(printed.text));
  return { ...printed, exact };
}

/**
 * Whether a value could have been rounded to the printed number: it lies at most half a unit away, or four units in
 * the last place of the double more.
 * @param {Printed} printed
 * @param {number} value
 */
export function covers({ units, numerator, denominator, exact }, value) {
  const half = exact ? 0n : 1n;
  const low = -most((half - 2n * units) * numerator, 2n * denominator);
  return low <= value && value <= most((half + 2n * units) * numerator, 2n * denominator);
}

/**
 * The right rounding of a value, in the form of the printed number; a half goes away from zero, and a value that the
 * printed number covers gives that number.
 * @param {Printed} printed
 * @param {number} value finite
 */
export function roundedTo(printed, value) {
  return at(printed, covers(printed, value) ? printed.units : rounded(printed, value));
}

/**
 * The wrong ways to round a value of 0 or more that give a number, by the codes of ndcg_ref/stated/causes.py.
 * @param {Printed} printed
 * @param {number} value
 */
export function wrongRoundings({ units, numerator, denominator, exact }, value) {
  const { numerator: above, denominator: below } = ratioOf(value);
  const [size, one] = [above * denominator, below * numerator]; // the value in units of the last digit: size / one
  const once = (20n * size + one) / (2n * one); // rounded to one digit more, half up
  const ways = { "rounded-twice": (once + 5n) / 10n, truncated: size / one, "rounded-up": (size + one - 1n) / one };
  const right = (2n * size + one) / (2n * one);
  return Object.keys(ways).filter((code) => {
    const made = ways[/** @type {keyof typeof ways} */ (code)];
    return !exact && made === units && made !== right;
  });
}

/**
 * A value in units of the last printed digit; a half goes away from zero.
 * @param {Printed} printed
 * @param {number} value finite
 */
function rounded(printed, value) {
  const ratio = ratioOf(value);
  const above = ratio.numerator * printed.denominator;
  const below = ratio.denominator * printed.numerator;
  const size = (2n * (above < 0n ? -above : above) + below) / (2n * below);
  return above < 0n ? -size : size;
}

/**
 * So many units of the last digit, in the form of the printed number.
 * @param {Printed} printed
 * @param {bigint} units
 */
function at({ text, denominator, exact, decimals, tail, leadingZero, grouped, point }, units) {
  const sign = (text.startsWith("≈") ? "≈ " : "") + (units < 0n ? "-" : "");
  const size = String(units < 0n ? -units : units);
  if (exact) return `${sign}${size}/${denominator}`;
  const digits = size.padStart(decimals + 1, "0");
  let whole = digits.slice(0, digits.length - decimals);
  if (grouped) whole = whole.replace(/\B(?=(\d{3})+$)/g, point === "," ? "." : ",");
  if (whole === "0" && decimals && !leadingZero) whole = "";
  return `${sign}${whole}${decimals ? point + digits.slice(-decimals) : ""}${tail}`;
}

// The greatest double that lies at most four units in its last place above a fraction
/**
 * @param {bigint} above
 * @param {bigint} below
 */
function most(above, below) {
  const end = floor(above, below);
  return end + 4 * ulp(next(end)); // below a power of two the doubles are closer
}

const FLOAT = new Float64Array(1);
const BITS = new BigInt64Array(FLOAT.buffer);
const INFINITE = 0x7ffn << 52n;

/** @param {bigint} bits */
function fromBits(bits) {
  BITS[0] = bits;
  return FLOAT[0];
}

/** @param {number} value */
function toBits(value) {
  FLOAT[0] = value;
  return BITS[0];
}

// The next double above a value
/** @param {number} value */
function next(value) {
  if (value === Number.POSITIVE_INFINITY) return value;
  if (value === 0) return Number.MIN_VALUE;
  return fromBits(toBits(value) + (value > 0 ? 1n : -1n));
}

/** @param {number} value */
function ulp(value) {
  const size = Math.abs(value);
  if (size === Number.POSITIVE_INFINITY) return size;
  return size === Number.MAX_VALUE ? size - -next(-size) : next(size) - size;
}

/** @param {number} value finite */
function ratioOf(value) {
  const bits = toBits(Math.abs(value));
  const power = bits >> 52n;
  const size = power ? (bits & ((1n << 52n) - 1n)) | (1n << 52n) : bits;
  const shift = (power || 1n) - 1075n;
  const numerator = (value < 0 ? -size : size) * (shift > 0n ? 1n << shift : 1n);
  return { numerator, denominator: shift < 0n ? 1n << -shift : 1n };
}

// The greatest double that is at most a fraction
/**
 * @param {bigint} above
 * @param {bigint} below above 0
 */
function floor(above, below) {
  if (above === 0n) return 0;
  const size = above < 0n ? -above : above;
  const guess = size.toString(2).length - below.toString(2).length; // of the power of two, or one more
  const power = (guess >= 0 ? size < below << BigInt(guess) : size << BigInt(-guess) < below) ? guess - 1 : guess;
  const last = Math.max(power - 52, -1074); // the power of two of the last digit
  const whole = last < 0 ? size << BigInt(-last) : size;
  const parts = last > 0 ? below << BigInt(last) : below;
  const away = above < 0n && whole % parts ? 1n : 0n;
  const bits = (BigInt(last + 1074) << 52n) + whole / parts + away;
  const found = bits < INFINITE ? fromBits(bits) : Number.POSITIVE_INFINITY;
  return above < 0n ? -found : found;
}

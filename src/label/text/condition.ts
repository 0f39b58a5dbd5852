/** Turns the stated or guessed condition of a text into the numbers that the network and the scores need. */
import { codeUnit } from "../../code-unit.js";
import { TEXT_CONDITIONS } from "../../document.js";
import { measureSigns } from "./condition-signs.js";

/** What a caller can state for all texts of a run; with `auto` the labeller guesses for each text. */
export const CONDITION_OPTIONS = ["auto", ...TEXT_CONDITIONS] as const;

/** The condition of plain text, or "auto" to detect it for each text. */
export type ConditionOption = (typeof CONDITION_OPTIONS)[number];

/** One value for each condition, in the order of TEXT_CONDITIONS. */
export type ByCondition<T> = readonly T[];

/** Returns one share for each condition as network input: 1 for the stated condition, and only zeros for `auto`. */
export function saidShares(option: ConditionOption): Float32Array {
  return Float32Array.from(TEXT_CONDITIONS, (name) => (name === option ? 1 : 0));
}

/**
 * A logistic regression on the signs, their squares and 1 that guesses the condition of a text in any language
 * (models/train/text/fit_conditions.py). It is used because the network's own guess depends on the language of a text.
 */
export interface ConditionGuess {
  /** For each sign, the mean that is subtracted, and the deviation by which the result is divided. */
  readonly means: readonly number[];
  readonly deviations: readonly number[];
  readonly weights: ByCondition<readonly number[]>;
  /** A guess with a share below this is right for fewer than eight of ten texts. */
  readonly doubtBelow: number;
}

/** Returns the probability of each condition of a text. `texts`: its lines that are not blank, at least one. */
export function guessShares(texts: readonly string[], guess: ConditionGuess): Float32Array {
  const standard = measureSigns(texts).map(
    (sign, at) => (sign - (guess.means[at] ?? 0)) / (guess.deviations[at] ?? 1),
  );
  const inputs = [...standard, ...standard.map((sign) => sign * sign), 1];
  const logits = guess.weights.map((weights) =>
    inputs.reduce((sum, input, at) => sum + input * (weights[at] ?? 0), 0),
  );
  const most = Math.max(...logits);
  const powers = logits.map((logit) => Math.exp(logit - most));
  const all = powers.reduce((sum, power) => sum + power, 0);
  return Float32Array.from(powers, (power) => power / all);
}

/** Returns the network's input beside a text's features: the shares, then 1 if its language is familiar, else 0. */
export function conditionInput(said: Float32Array, texts: readonly string[]): Float32Array {
  return Float32Array.of(...said, isFamiliar(texts) ? 1 : 0);
}

/** Returns the mean of one value per condition, weighted by the shares of the conditions. */
export function mixConditions(shares: Float32Array, values: ByCondition<number>): number {
  let sum = 0;
  for (const [at, value] of values.entries()) sum += (shares[at] ?? 0) * value;
  return sum;
}

/*
 * The share of function words shows whether a text is in a familiar language, one in which people labelled crawled
 * text. The network for crawled text is better than the one for pages if it knows the language (.86 against .80 of
 * turku-tq dev's lines), and much worse if it does not (.60 against .83 on Swedish when trained without any), so it is
 * used only for familiar languages. Shares measured: turku-tq dev, median by language .14 (Finnish) to .39; Swedish .05
 * when its own list is left out; CORE's Indonesian, Arabic and Hindi .00. Portuguese (.18) and Catalan (.30) count as
 * familiar, because they resemble familiar languages.
 */

/** The most common words of the languages of turku-tq, in lower case. */
export const FUNCTION_WORDS = {
  de: "der die das und ist nicht ich sie es ein eine zu den mit von auf für im dem sich auch wird bei als sind",
  en: "the of and to in is that it was for on with as are this be at have from or you not by we your",
  es: "de la que el en y los se del las por un con no una su para es al lo como más pero o sus",
  fi: "ja on ei se että oli en hän ovat niin mutta kun myös tai joka mitä vain jos sen kuin minä olen nyt voi sekä",
  fr: "de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se avec il",
  sv: "och att det i en som är på av för med den till inte ett har om jag de var så men man kan du",
} as const;

/** The lowest share of function words of a text in one of these languages, or in a very similar one. */
const LEAST_SHARE = 0.1;
/** Lines with fewer words are names, dates and menus in any language. */
const FEWEST_WORDS = 5;
/** Counting stops after this many words. */
const MOST_WORDS = 300;
/** The most characters read of a line: in a text without spaces it may be one word of a megabyte. */
const MOST_CHARACTERS = 2_000;

const KNOWN: ReadonlySet<string> = new Set(Object.values(FUNCTION_WORDS).join(" ").split(" "));
const LONGEST_KNOWN = Math.max(...[...KNOWN].map((word) => word.length));

/** Checks whether a text is in a familiar language; false if no line has at least FEWEST_WORDS words. */
export function isFamiliar(texts: readonly string[]): boolean {
  let words = 0;
  let known = 0;
  for (const text of texts) {
    const line = countWords(text.slice(0, MOST_CHARACTERS).toLowerCase());
    if (line.words < FEWEST_WORDS) continue;
    words += line.words;
    known += line.known;
    if (words >= MOST_WORDS) break;
  }
  return known > 0 && known >= LEAST_SHARE * words;
}

/** Counts runs of letters, and function words among them. To be fast, it makes strings only of short runs. */
function countWords(line: string): { readonly words: number; readonly known: number } {
  let words = 0;
  let known = 0;
  let start = -1;
  const { length } = line;
  for (let at = 0; at <= length; at++) {
    const code = at < length ? codeUnit(line, at) : 0;
    // Latin letters, and everything beyond except general punctuation: other scripts have no known words anyway.
    const isLetter = (code >= 0x61 && code <= 0x7a) || (code >= 0xc0 && (code < 0x2000 || code > 0x206f));
    if (isLetter) {
      if (start < 0) start = at;
    } else if (start >= 0) {
      words += 1;
      if (at - start <= LONGEST_KNOWN && KNOWN.has(line.slice(start, at))) known += 1;
      start = -1;
    }
  }
  return { words, known };
}

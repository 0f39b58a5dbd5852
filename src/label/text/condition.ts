/** Turns what is said or guessed of a text's condition into the numbers that its network and its scores need. */
import { codeUnit } from "../../code-unit.js";
import { TEXT_CONDITIONS } from "../../document.js";
import { measureSigns } from "./condition-signs.js";

/** What a caller can say of all texts of a run; under `auto` the labeller tells by each text. */
export const CONDITION_OPTIONS = ["auto", ...TEXT_CONDITIONS] as const;
export type ConditionOption = (typeof CONDITION_OPTIONS)[number];

/** In the order of TEXT_CONDITIONS. */
export type ByCondition<T> = readonly T[];

/** The shares that the network is given: all for the one that is said, none under `auto`. */
export function saidShares(option: ConditionOption): Float32Array {
  return Float32Array.from(TEXT_CONDITIONS, (name) => (name === option ? 1 : 0));
}

/**
 * How the condition of a text is told, in any language: a logistic regression on the signs, their squares and 1
 * (models/train/text/fit_conditions.py). The network's own guess goes by the language of a text.
 */
export interface ConditionGuess {
  /** Of each sign: what is taken off, and what it is divided by then. */
  readonly means: readonly number[];
  readonly deviations: readonly number[];
  readonly weights: ByCondition<readonly number[]>;
  /** A share below this is right in less than eight of ten texts. */
  readonly doubtBelow: number;
}

/** The shares of the conditions that a text may be in, of its lines that are not blank; at least one. */
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

/** What the network is told beside a text's features: the shares, then how far its language is one that it was labelled in. */
export function conditionInput(said: Float32Array, texts: readonly string[]): Float32Array {
  return Float32Array.of(...said, isFamiliar(texts) ? 1 : 0);
}

/** The mean of a number that each condition has, by the conditions' shares. */
export function mixConditions(shares: Float32Array, values: ByCondition<number>): number {
  let sum = 0;
  for (const [at, value] of values.entries()) sum += (shares[at] ?? 0) * value;
  return sum;
}

/*
 * Whether a text is in a language that people labelled crawled text in, by the share of its function words. The network for
 * crawled text is better than the one for pages where it knows the language (.86 against .80 of turku-tq dev's lines), and
 * much worse where it does not (.60 against .83 on Swedish when trained without any): so it is heard only there. Shares
 * measured: turku-tq dev, median by language .14 (Finnish) to .39, and Swedish .05 when its own list is left out; CORE's
 * Indonesian, Arabic and Hindi .00; Portuguese .18 and Catalan .30, which are heard as what they are like.
 */

/** The commonest words of the languages of turku-tq, lower-case. */
export const FUNCTION_WORDS = {
  de: "der die das und ist nicht ich sie es ein eine zu den mit von auf für im dem sich auch wird bei als sind",
  en: "the of and to in is that it was for on with as are this be at have from or you not by we your",
  es: "de la que el en y los se del las por un con no una su para es al lo como más pero o sus",
  fi: "ja on ei se että oli en hän ovat niin mutta kun myös tai joka mitä vain jos sen kuin minä olen nyt voi sekä",
  fr: "de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se avec il",
  sv: "och att det i en som är på av för med den till inte ett har om jag de var så men man kan du",
} as const;

/** The share from which a text is in one of these languages, or in one that is much like one. */
const LEAST_SHARE = 0.1;
/** Lines with fewer words are names, dates and menus in any language. */
const FEWEST_WORDS = 5;
/** So many words are looked at. */
const MOST_WORDS = 300;
/** A line of a text without spaces may be one word of a megabyte. */
const MOST_CHARACTERS = 2_000;

const KNOWN: ReadonlySet<string> = new Set(Object.values(FUNCTION_WORDS).join(" ").split(" "));
const LONGEST_KNOWN = Math.max(...[...KNOWN].map((word) => word.length));

/** False also for a text without a line of some words. */
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

/** Runs of letters, and how many of them are function words. Every document is asked, so only short runs become strings. */
function countWords(line: string): { readonly words: number; readonly known: number } {
  let words = 0;
  let known = 0;
  let start = -1;
  const { length } = line;
  for (let at = 0; at <= length; at++) {
    const code = at < length ? codeUnit(line, at) : 0;
    // Latin letters, and beyond them all but general punctuation: what is strange need not be told apart.
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

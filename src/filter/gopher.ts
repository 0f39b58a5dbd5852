/**
 * Measures the figures of Gopher's quality filter (Rae et al. 2021, arXiv 2112.11446, appendix A.1.1): 50 to 100,000
 * words with a mean length of 3 to 10 characters; at most .1 hash signs or ellipses per word; at most .9 of the lines
 * with a bullet, and .3 with an ellipsis at the end; a letter in .8 of the words; two of eight English stop words.
 *
 * Three rules make these limits, published for English, work for other languages. Lengths are in columns, so a Hangul
 * syllable counts as two letters. Scripts without spaces have no word lengths, so that figure is skipped for them. Stop
 * words are those of the text's language, and are checked only for the languages listed below.
 */
import type { Measure } from "./filter.js";
import type { Kept } from "./kept-text.js";
import { beginsWithBullet, endsWithEllipsis } from "./marks.js";
import { isUnspaced } from "./scripts.js";
import { share } from "./size.js";
import { readTerms } from "./terms.js";

function meanWord({ characters, terms }: Kept): number | undefined {
  return isUnspaced(characters.script) ? undefined : share(terms.totalColumns, terms.count);
}

/** Returns hash signs or ellipses per word, whichever are more frequent. */
function countSymbols({ lines, terms }: Kept): number | undefined {
  let hashes = 0;
  let ellipses = 0;
  for (const { text } of lines) {
    hashes += text.split("#").length - 1;
    ellipses += text.split("...").length - 1 + (text.split("…").length - 1);
  }
  return share(Math.max(hashes, ellipses), terms.count);
}

/** Stop words by language, as the hashes that the words of texts have. */
const numbered = new Map<string, ReadonlySet<number>>();

function numberStopWords(language: string): ReadonlySet<number> | undefined {
  const known = numbered.get(language);
  const words = STOP_WORDS[language];
  if (known !== undefined || words === undefined) return known;
  const numbers: ReadonlySet<number> = new Set(readTerms([words]).hashes);
  numbered.set(language, numbers);
  return numbers;
}

function countStopWords({ language, terms }: Kept): number | undefined {
  const wanted = language === undefined ? undefined : numberStopWords(language.code);
  if (wanted === undefined) return undefined;
  let found = 0;
  for (const hash of terms.hashes) if (wanted.has(hash)) found += 1;
  return found;
}

export const GOPHER_MEASURES = {
  "min-word-length": {
    says: "mean length of the words in columns",
    side: "at least",
    limit: 3,
    measure: meanWord,
  },
  "max-word-length": {
    says: "mean length of the words in columns",
    side: "at most",
    limit: 10,
    measure: meanWord,
  },
  symbols: {
    says: "hash signs or ellipses per word, the larger of the two",
    side: "at most",
    limit: 0.1,
    measure: countSymbols,
  },
  bullets: {
    says: "share of lines that are list items or begin with a bullet",
    side: "at most",
    limit: 0.9,
    measure: ({ lines }) =>
      share(lines.filter(({ text, isItem }) => isItem || beginsWithBullet(text)).length, lines.length),
  },
  ellipses: {
    says: "share of lines that end with an ellipsis",
    side: "at most",
    limit: 0.3,
    measure: ({ lines }) => share(lines.filter(({ text }) => endsWithEllipsis(text)).length, lines.length),
  },
  lettered: {
    says: "share of words that have a letter",
    side: "at least",
    limit: 0.8,
    measure: ({ terms }) => share(terms.lettered, terms.count),
  },
  "stop-words": {
    says: "stop words of the text's language, if there is a list for it",
    side: "at least",
    limit: 2,
    needsLanguage: true,
    measure: countStopWords,
  },
} satisfies Readonly<Record<string, Measure>>;

/**
 * About eight of the most frequent short words of each language, separated by spaces, by the language code of
 * `language.ts`. Serbian has them in both scripts, and Greek in both orthographies. Languages without spaces between words
 * are not listed.
 */
export const STOP_WORDS: Readonly<Record<string, string>> = {
  ar: "في من على أن إلى عن التي هذا",
  bg: "на и в за да се от не",
  ca: "de la que i el en les per",
  cs: "a v se na je že to s",
  da: "og i at det er en til på",
  de: "der die und in den von zu das",
  el: "και το να του η της με για καὶ τὸ νὰ τοῦ ἡ τῆς μὲ γιὰ",
  en: "the be to of and that have with",
  es: "de la que el en y los se",
  et: "ja on ei et see oli ka mis",
  fa: "و در به از که این را است",
  fi: "ja on ei että se oli myös mutta",
  fr: "de la le et les des en un",
  he: "של את על לא הוא עם זה כי",
  hi: "के का की में है को से और",
  hr: "i u je na se da za su",
  hu: "a az és hogy nem is egy van",
  is: "og að í á er sem til um",
  it: "di e il la che in un per",
  lt: "ir kad į iš su tai yra bet",
  lv: "un ir ka no ar par uz kas",
  ms: "yang dan di untuk dengan ini dari itu",
  nl: "de het een en van in dat is",
  no: "og i det er som på en til",
  pl: "i w na z się nie że do",
  pt: "de a o que e do da em",
  ro: "și de în la cu care pe nu",
  ru: "и в на не что с по как",
  sk: "a v na sa je že to s",
  sl: "in je v na se da za so",
  sr: "и у је да на се за су i u je na",
  sv: "och i att det som en på är",
  tr: "ve bir bu için da de ile çok",
  uk: "і в на не що з та до",
  ur: "کے کی میں ہے کا سے اور کو",
  vi: "và của là có không cho các được",
};

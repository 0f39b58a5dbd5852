/** Lists the figures that the papers print, each with its table or section; we measured none of them. */

export interface Paper {
  readonly title: string;
  /** The tables and sections of the paper that have the figures below. */
  readonly where: string;
}

export const PAPERS = {
  salmela: {
    title: "Salmela 2022, master's thesis on labelling the lines of web texts in six languages",
    where: "tables 3, 8, 9 and 11, and the section on annotation for the agreement of annotators",
  },
  schaefer: {
    title:
      "Schäfer 2016, Accurate and efficient general-purpose boilerplate detection for crawled web corpora",
    where: "tables 2, 3 and 4, figures 2 and 3, section 3.5",
  },
  wu: {
    title: "Wu & Chang 2022, MultiBoilerNet",
    where: "tables II to V, figure 3",
  },
  laippala2020: {
    title: "Laippala et al. 2020, From web crawl to clean register-annotated corpora",
    where: "tables 4 to 9, section 5.1",
  },
  laippala2022: {
    title:
      "Laippala et al. 2022, Towards better structured and less noisy web data: Oscar with register annotations",
    where: "tables 3, 4 and 5, sections 3 and 4.2",
  },
  justext: {
    title: "Pomikálek 2011, Removing boilerplate and duplicate content from web corpora; jusText 3.0.2",
    where: "the program itself",
  },
} as const satisfies Record<string, Paper>;

export const LANGUAGES = ["de", "en", "es", "fi", "fr", "sv"] as const;
export type Language = (typeof LANGUAGES)[number];
type ByLanguage = Readonly<Record<Language, number>>;

/** Accuracy by line, the mean of three runs (table 8); `registers` has those of the multilingual LSTM (table 11). */
export const SALMELA = {
  lines: { de: 3_454, en: 6_172, es: 3_018, fi: 4_277, fr: 84_103, sv: 99_406 } satisfies ByLanguage,
  allLines: 200_430,
  bag: { de: 0.7, en: 0.82, es: 0.69, fi: 0.8, fr: 0.85, sv: 0.84 } satisfies ByLanguage,
  sequence: { de: 0.73, en: 0.89, es: 0.7, fi: 0.86, fr: 0.89, sv: 0.88 } satisfies ByLanguage,
  zeroShot: { de: 0.77, en: 0.71, es: 0.88, fi: 0.85, fr: 0.84, sv: 0.8 } satisfies ByLanguage,
  pooled: { bag: 0.84, sequence: 0.88 },
  agreement: { fr: 0.86, sv: 0.8 },
  registers: { NA: 0.91, IN: 0.9, OP: 0.91, HI: 0.89, IP: 0.86, ID: 0.91, SP: 0.93, LY: 0.6 },
} as const;

/**
 * Scores for the label boilerplate in ten folds, at a threshold of .5 (table 4) and where precision = recall (table 3).
 */
export const SCHAEFER = {
  at5: {
    en: {
      blocks: 14_405,
      precision: 0.983,
      recall: 0.99,
      f1: 0.99,
      correct: 0.976,
      baseline: 0.91,
      pre: 0.733,
    },
    fr: {
      blocks: 12_516,
      precision: 0.995,
      recall: 0.994,
      f1: 0.994,
      correct: 0.99,
      baseline: 0.897,
      pre: 0.903,
    },
    de: {
      blocks: 9_917,
      precision: 0.963,
      recall: 0.977,
      f1: 0.977,
      correct: 0.952,
      baseline: 0.798,
      pre: 0.762,
    },
    sv: {
      blocks: 11_250,
      precision: 0.977,
      recall: 0.983,
      f1: 0.983,
      correct: 0.983,
      baseline: 0.866,
      pre: 0.873,
    },
  },
  balanced: {
    en: { threshold: 0.62, f1: 0.986, correct: 0.975 },
    fr: { threshold: 0.49, f1: 0.995, correct: 0.99 },
    de: { threshold: 0.6, f1: 0.969, correct: 0.95 },
    sv: { threshold: 0.57, f1: 0.979, correct: 0.963 },
  },
  /** How much precision falls in another language, least and most (section 3.2). */
  crossLoss: { least: 0.05, most: 0.15 },
  /** The features that figure 3 and section 3.3 name as most useful. */
  best: ["Length", "SentLength", "MarkupProp", "Window1", "Window2"],
  cpuMs: { detector: 3.15, whole: 39, machine: "Core i5 of 2.3 GHz" },
} as const;

/** Mean F1 of the two labels by DOM leaf: over all leaves (micro) and as a mean over pages (macro). */
export const WU = {
  english: {
    boilernet: { micro: 0.85, macro: 0.774 },
    multiboilernet: { micro: 0.855, macro: 0.798 },
    web2text: { micro: 0.83 },
    boilerpipe: { micro: 0.71 },
  },
  chinese: { boilernet: 0.404, multiboilernet: 0.869, trainedOnIt: 0.862 },
  japanese: { boilernet: 0.49, multiboilernet: 0.816 },
  thai: { boilernet: 0.688, multiboilernet: 0.779 },
  /** Macro F1 that the auxiliary task adds, least and most over four sets (section V; figure 3 has no numbers). */
  auxiliary: { least: 0.021, most: 0.087 },
} as const;

/**
 * Words and lines that annotators accepted and rejected, of twenty pages per language, by condition (tables 4 to 6).
 */
export interface Accepted {
  readonly words: { readonly accepted: number; readonly rejected: number };
  /** Only a share where our copy of the paper does not show the counts. */
  readonly lines: { readonly accepted: number; readonly rejected: number } | { readonly share: number };
}

export const LAIPPALA_2020 = {
  french: {
    "raw HTML text": {
      words: { accepted: 8_097, rejected: 14_662 },
      lines: { accepted: 408, rejected: 4_227 },
    },
    "source crawl": { words: { accepted: 8_374, rejected: 7_789 }, lines: { accepted: 288, rejected: 956 } },
    Trafilatura: { words: { accepted: 6_401, rejected: 1_713 }, lines: { accepted: 306, rejected: 255 } },
  } satisfies Record<string, Accepted>,
  swedish: {
    "raw HTML text": { words: { accepted: 17_228, rejected: 27_324 }, lines: { share: 0.1 } },
    "source crawl": { words: { accepted: 20_694, rejected: 5_961 }, lines: { share: 0.31 } },
    Trafilatura: { words: { accepted: 12_224, rejected: 794 }, lines: { accepted: 403, rejected: 77 } },
  } satisfies Record<string, Accepted>,
  /** Accuracy by line (tables 8 and 9). */
  fastText: { fr: 0.7568, sv: 0.8461 },
  mBert: { fr: 0.8164, sv: 0.8562 },
  mBertCrossed: { "fr → sv": 0.7661, "sv → fr": 0.6972 },
  majority: { fr: 0.6069, sv: 0.7373 },
} as const;

export const LAIPPALA_2022 = {
  bag: 0.84,
  sequence: 0.88,
  generated: 0.98,
  /**
   * F1 of registers: the mean over eight new languages, unseen in training, with the lowest and the highest of them
   * (section 4.1), and the figure cited from Rönnqvist et al. 2021 for a multilingual test set in languages of the
   * training.
   */
  registers: { zeroShot: 0.7, lowest: { id: 0.58 }, highest: { ur: 0.82 }, inTraining: 0.77 },
  /** The least number of words, and the largest shares of digits and of foreign letters (section 3). */
  limits: { words: 75, digits: 0.075, foreign: 0.02 },
  /** Table 5: texts before and after filtering, and lines of both labels and words in the kept texts, in millions. */
  oscar: { texts: 524, kept: 351, contentLines: 4_280, boilerplateLines: 136, words: 253_000 },
} as const;

/** The share of paragraphs on which another implementation must agree to count as the same algorithm: our own bound. */
export const JUSTEXT_AGREEMENT = 0.97;

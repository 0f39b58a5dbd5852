/** Describes each corpus: its source, its definition of main content, and what it may be used for. */
import type { FieldName } from "../metrics/metadata/fields.js";
import type { Corpus } from "./gold.js";

/** A file of the gold folder. */
export interface GoldFile {
  readonly path: string;
  /** The split of rows that do not name one. */
  readonly split: string;
  /** When set, only rows of this split belong to the corpus. */
  readonly only?: string;
  /** When set, only pages of the sites that training leaves out belong to the corpus. */
  readonly heldOutSites?: boolean;
  /**
   * When set, the corpus leaves out pages without an address, and pages whose host also occurs in one of these sets,
   * because those sets train models without leaving the same sites out.
   */
  readonly apartFrom?: readonly string[];
}

export interface CorpusDescriptor extends Omit<Corpus, "documents" | "problems"> {
  /** Files in the gold folder; empty for the project's own fixtures. */
  readonly files: readonly GoldFile[];
  /**
   * Set when the user supplies the gold: its rows need not state how their lines were made, but each row must hold
   * gold.
   */
  readonly isOwn?: true;
  /** Set when rows hold the page's metadata in `meta` instead of labelled lines. */
  readonly gold?: "metadata";
  /** Fields of `meta` that mean something else in this corpus, and are not compared. */
  readonly leaves?: readonly FieldName[];
}

const NEVER = "never: for measuring only";
const HELD_OUT = "never: one site in five, left out of training by models/train/common/gold.py";
const ONLY_UNSEEN =
  "may train our models; a system is measured here only if its model trained on none of these documents";
const MAY = "may train our models; where it did, scores show fit, not quality";
const WCEB =
  "in the form of https://github.com/chatnoir-eu/web-content-extraction-benchmark (Bevendorff et al. 2023)";
/** The measure that the papers on these collections report, following Bevendorff et al. 2023. */
const WCEB_MEASURES = ["rougeBevendorff"] as const;
const TURKU = {
  origin:
    "https://github.com/TurkuNLP/multilingual-register-labeling (line annotations of Laippala et al. 2022, Salmela 2022)",
  licence: "CC BY 4.0, stated in the sibling folder",
  unit: "lines",
  mainContent:
    "Each line is labelled by hand, on text from which an extractor had already removed boilerplate. Body, titles, bylines, " +
    "captions, and comments with their author and date are main content; the second copy of a line is not. " +
    "Some labels contradict each other (a Swedish template), and some Spanish characters are damaged.",
} as const;
const MBN = {
  licence: "none stated",
  unit: "lines",
  mainContent:
    "CleanEval's gold (all text but navigation, lists of links, copyright, templates, advertising; titles included), " +
    "marked on the leaves of the DOM, which are joined into lines.",
} as const;
const MBN_ORIGIN =
  "https://github.com/harukip/multitask-boilerplate-removal (CleanEval as cleaned for BoilerNet; Wu & Chang 2022)";
const TRENDS = {
  origin:
    "https://github.com/harukip/multitask-boilerplate-removal (GoogleTrends-2017, Leonhardt et al. 2020)",
  licence: "none stated",
  languages: ["en"],
  unit: "lines",
  mainContent:
    "The article or main text of each search result, labelled by hand on the leaves of the DOM (BoilerNet).",
} as const;
const CANOLA = {
  origin: "https://github.com/krdwrd/data (CANOLA, Stemle 2010)",
  licence: "CC BY-SA 4.0",
  languages: ["en"],
  splits: ["all"],
  mainContent:
    "What most annotators marked as good in the page: running text. They almost never marked headings (2 % of h1), and rarely " +
    "tables, references and lists. Lines without a majority (undecided) count as boilerplate. 13 pages have no " +
    "main content at all.",
  training: NEVER,
} as const;
const L3S = {
  origin: "https://www.l3s.de/~kohlschuetter/boilerplate (L3S-GN1, Kohlschütter et al. 2010)",
  licence: "research use only",
  languages: ["en"],
  splits: ["all"],
  mainContent:
    "Headline, full text and supplemental text (byline, date, captions) of news articles, marked by hand in the page; " +
    "readers' comments and related articles are boilerplate. Half of the h1 are the headline.",
  training: NEVER,
} as const;
const CLEANEVAL = {
  licence: "none stated (shared task of SIGWAC)",
  origin: `https://sigwac.org.uk/cleaneval (Baroni et al. 2008), ${WCEB}`,
  languages: ["en"],
  unit: "pages",
  ownMeasures: WCEB_MEASURES,
  mainContent:
    "The whole text of the page without navigation, link lists, copyright, advertising and templates, typed by hand; " +
    "titles (77 % of h1), bylines and comments are main content. Lines are aligned with it.",
} as const;

const WCXB = {
  origin: "https://github.com/Murrough-Foley/web-content-extraction-benchmark (dev split, April 2026)",
  licence: "CC BY 4.0",
  languages: ["en", "fr", "cs", "id"],
  splits: ["dev"],
  unit: "pages",
  ownMeasures: ["wcxbPrecision", "wcxbRecall", "wcxbF1"],
  mainContent:
    "Full text and snippets for seven page types, drafted by a model and reviewed by people. Main content is what the page is " +
    "for, so lists, product data and posts count. A quarter of the h1 count. Lines are aligned; two pages occur twice, and 24 gold texts are empty.",
} as const;
const WADDLE = {
  origin: "waddle news pages (by its repository)",
  licence: "GPL-3.0, of the repository",
  languages: ["zh", "ru", "en"],
  splits: ["test"],
  unit: "pages",
  mainContent:
    "The paragraphs of news articles, marked by hand. A third of the h1 count; dates never do. Lines are aligned.",
} as const;

/** Sets of pages whose lines, on held-out sites only, measure the labellers that work on plain text. */
const HELD_OUT_LINES = {
  harvest: {
    origin: "https://github.com/fhgr/harvest (pages of forums, with their posts as gold)",
    licence: "Apache-2.0",
    languages: ["en", "de"],
    mainContent:
      "The posts of a forum page, marked by hand, and its title, found by a rule (87 % of h1). Edit notes and signatures are boilerplate. Lines are aligned.",
  },
  rkrzr: {
    origin:
      "https://github.com/rkrzr/dataset-popular, dataset-random (home and inner pages of 2012 and 2013)",
    licence: "public domain",
    languages: ["en", "es", "ja", "nl"],
    mainContent:
      "Blocks to which volunteers gave a type. 69 % of the known h1 are main content. Nearly half of the lines have no known label.",
  },
  mercury: {
    origin:
      "https://github.com/postlight/parser, jocmp/mercury-parser (fixtures of extractors for single sites)",
    licence: "MIT",
    languages: ["en", "ja", "de", "fa"],
    mainContent:
      "What selectors written by people for each site take as the article, with 69 % of h1. About 3 % of it is boxes about newsletters and authors.",
  },
  atf: {
    origin: "https://github.com/AndyTheFactory/article-extraction-dataset",
    licence: "Apache-2.0",
    languages: ["en"],
    mainContent:
      "The body of the article, marked by hand, without title (2 % of h1), byline and captions. Text behind a paywall is unknown. Lines are aligned.",
  },
  recipes: {
    origin: "https://github.com/hhursev/recipe-scrapers (test pages)",
    licence: "MIT",
    languages: ["en", "pt", "de", "nl", "fr", "hr", "da", "es", "hu", "it"],
    mainContent:
      "Ingredients, steps and the title (93 % of the known h1); frame and footer are boilerplate. Introductions, comments and headings have no known label.",
  },
  juriscraper: {
    origin: "https://github.com/freelawproject/juriscraper (example pages of courts)",
    licence: "BSD-2-Clause in style",
    languages: ["en"],
    mainContent: "The rows of lists of cases. The frame is boilerplate; all other lines have no known label.",
  },
  mirrors: {
    origin: "static mirrors of sites in public repositories",
    licence: "labels by this project; pages mostly without a stated licence",
    languages: ["en", "vi", "tr", "it", "fr", "es", "ru", "zh"],
    mainContent:
      "Labelled by rules: text inside the platform's content node that only one page has is main content (97 % of the known h1); text that is repeated outside of the node is boilerplate.",
  },
} as const;

/**
 * Describes the held-out lines of one set. `wcxb` is not in `apartFrom` because it is also split by site: a host that
 * is in both sets is held out of both.
 */
function heldOutLines(name: keyof typeof HELD_OUT_LINES): CorpusDescriptor {
  const path = `pages/${name}/pages.jsonl.gz`;
  return {
    name: `${name}-lines-heldout`,
    ...HELD_OUT_LINES[name],
    splits: ["train"],
    unit: "lines",
    training: HELD_OUT,
    files: [{ path, split: "train", heldOutSites: true, apartFrom: ["cleaneval", "waddle"] }],
  };
}

const TURKU_LANGUAGES = ["de", "en", "es", "fi", "fr", "sv"] as const;

function turkuFile(lang: string, split: string): GoldFile {
  return { path: `lines/turku-tq/${lang}.${split}.jsonl.gz`, split };
}

function turkuFiles(split: string): readonly GoldFile[] {
  return TURKU_LANGUAGES.map((lang) => turkuFile(lang, split));
}

/** Describes all Turku data of one language, for systems whose model trained on none of these documents. */
function turkuLanguage(lang: string): CorpusDescriptor {
  return {
    name: `turku-tq-${lang}`,
    ...TURKU,
    languages: [lang],
    splits: ["train", "dev"],
    training: ONLY_UNSEEN,
    onlyUnseen: true,
    files: [turkuFile(lang, "train"), turkuFile(lang, "dev")],
  };
}

/**
 * Describes a corpus in one file. `split` is for rows that do not name their own; `only` keeps the rows of one split.
 */
function one(path: string, split: string, only?: string): readonly GoldFile[] {
  return [{ path, split, ...(only === undefined ? {} : { only }) }];
}

/**
 * Every corpus on which lines are measured. Each gets its own scores, because they disagree on what main content is.
 */
export const CORPORA: readonly CorpusDescriptor[] = [
  {
    name: "fixtures",
    origin: "this project, fixtures/pages",
    licence: "Apache-2.0",
    languages: [
      ...["ar", "cs", "de", "el", "en", "es", "fa", "fi", "fr", "he", "hi", "it", "ja"],
      ...["ko", "nl", "pl", "pt", "ru", "sv", "th", "tr", "uk", "zh"],
    ],
    splits: ["all"],
    unit: "pages",
    mainContent:
      "Every line is labelled by hand by the guideline of Salmela 2022. Body and title, author and date, lists, tables, " +
      "captions and comments are main content; the second copy of a line is not. Each page holds one trap.",
    training: NEVER,
    files: [],
  },
  {
    name: "fixtures-text",
    origin: "this project, fixtures/text",
    licence: "Apache-2.0",
    languages: ["ar", "de", "en", "es", "fi", "fr", "ja", "th", "zh"],
    splits: ["all"],
    unit: "lines",
    mainContent: "Labelled like fixtures, on text that other programs extracted, well or badly.",
    training: NEVER,
    files: [],
  },
  { name: "canola", unit: "pages", ...CANOLA, files: one("pages/canola/pages.jsonl.gz", "all") },
  { name: "canola-lines", unit: "lines", ...CANOLA, files: one("lines/canola/en.all.jsonl.gz", "all") },
  { name: "l3s-gn1", unit: "pages", ...L3S, files: one("pages/l3s-gn1/pages.jsonl.gz", "all") },
  { name: "l3s-gn1-lines", unit: "lines", ...L3S, files: one("lines/l3s-gn1/en.all.jsonl.gz", "all") },
  {
    name: "cleaneval",
    ...CLEANEVAL,
    splits: ["test"],
    training: NEVER,
    files: one("pages/cleaneval/pages.jsonl.gz", "test", "test"),
  },
  {
    name: "cleaneval-dev",
    ...CLEANEVAL,
    splits: ["dev"],
    training: MAY,
    files: one("pages/cleaneval/pages.jsonl.gz", "dev", "dev"),
  },
  {
    name: "cleanportaleval",
    origin: `CleanPortalEval (Pomikálek 2011), ${WCEB}`,
    licence: "none stated",
    languages: ["en"],
    splits: ["test"],
    unit: "pages",
    ownMeasures: WCEB_MEASURES,
    mainContent:
      "The articles of news portals, marked by hand by CleanEval's guideline: headlines are main content (89 % of " +
      "h1); teasers and links are not. Pages without an article have an empty gold text. Lines are aligned.",
    training: NEVER,
    files: one("pages/cleanportaleval/pages.jsonl.gz", "test"),
  },
  {
    name: "dragnet",
    origin: `https://github.com/seomoz/dragnet_data (Peters & Lecocq 2013), ${WCEB}`,
    licence: "AGPL-3.0",
    languages: ["en"],
    splits: ["test"],
    unit: "pages",
    ownMeasures: WCEB_MEASURES,
    mainContent:
      "The article text, marked by hand. Comments are annotated separately and are not main content here. Fewer than half of " +
      "the h1 count. Lines are aligned.",
    training: NEVER,
    files: one("pages/dragnet/pages.jsonl.gz", "test"),
  },
  {
    name: "scrapinghub",
    origin: "https://github.com/scrapinghub/article-extraction-benchmark",
    licence: "MIT",
    languages: ["en", "pt", "ru", "ko", "it", "id", "de", "ja", "und"],
    splits: ["test"],
    unit: "pages",
    ownMeasures: ["shinglePrecision", "shingleRecall", "shingleF1"],
    mainContent:
      "Only the article body, marked by hand, without headline (3 % of h1), byline, date, captions and comments. Lines are aligned.",
    training: NEVER,
    files: one("pages/scrapinghub/pages.jsonl.gz", "test"),
  },
  {
    name: "wcxb-dev",
    ...WCXB,
    training: "may train our models, with wcxb-heldout kept out",
    files: one("pages/wcxb/dev.jsonl.gz", "dev"),
  },
  {
    name: "wcxb-heldout",
    ...WCXB,
    training: HELD_OUT,
    files: [{ path: "pages/wcxb/dev.jsonl.gz", split: "dev", heldOutSites: true }],
  },
  {
    name: "trafilatura-eval",
    origin: "https://github.com/adbar/trafilatura (tests/evaldata.json, August 2026)",
    licence: "Apache-2.0",
    languages: [
      ...["de", "en", "es", "fr", "pl", "pt", "zh", "it", "und"],
      ...["ca", "fi", "ja", "ar", "hu", "no", "ru", "bn", "nl"],
    ],
    splits: ["test"],
    unit: "pages",
    ownMeasures: ["segmentPrecision", "segmentRecall", "segmentF1"],
    mainContent:
      "Up to six snippets that must, and six that must not, appear in the output. Most are at the borders of the main text. Comments must not appear.",
    training: NEVER,
    files: one("pages/trafilatura-eval/pages.jsonl.gz", "test"),
  },
  {
    name: "waddle",
    ...WADDLE,
    training: "may train our models for zh and ru, with waddle-heldout kept out",
    files: one("pages/waddle/pages.jsonl.gz", "test"),
  },
  {
    name: "waddle-heldout",
    ...WADDLE,
    training: HELD_OUT,
    files: [{ path: "pages/waddle/pages.jsonl.gz", split: "test", heldOutSites: true }],
  },
  {
    name: "zh-handmade",
    origin: "handmade Chinese gold; 47 of its pages are CleanEval-ZH (mbn-cleaneval-zh holds the same)",
    licence: "MIT",
    languages: ["zh"],
    splits: ["all"],
    unit: "pages",
    mainContent: "The full main text, by hand. Lines are aligned.",
    training: NEVER,
    files: one("pages/zh-handmade/pages.jsonl.gz", "all"),
  },
  {
    name: "readability",
    origin: `https://github.com/mozilla/readability (test/test-pages), ${WCEB}`,
    licence: "Apache-2.0",
    languages: ["en", "fr", "zh", "es", "ja", "cs", "it", "pt", "de", "und"],
    splits: ["test"],
    unit: "pages",
    mainContent:
      "Readability's own expected output. Scores show how similar to Readability a system is, not how good it is. Lines are aligned.",
    training: NEVER,
    files: one("pages/readability/pages.jsonl.gz", "test"),
  },
  {
    name: "newspaper4k",
    origin: "https://github.com/AndyTheFactory/newspaper4k (tests)",
    licence: "MIT",
    languages: ["en", "zh", "ja", "ar", "my", "lv", "es", "th"],
    splits: ["all"],
    unit: "pages",
    mainContent:
      "Newspaper4k's own expected output. Scores show how similar to Newspaper4k a system is. Lines are aligned; one page occurs twice.",
    training: NEVER,
    files: one("pages/newspaper4k/pages.jsonl.gz", "all"),
  },
  {
    name: "turku-tq-dev",
    ...TURKU,
    languages: TURKU_LANGUAGES,
    splits: ["dev"],
    training: NEVER,
    files: turkuFiles("dev"),
  },
  {
    name: "turku-tq-train",
    ...TURKU,
    languages: TURKU_LANGUAGES,
    splits: ["train"],
    training: ONLY_UNSEEN,
    onlyUnseen: true,
    files: turkuFiles("train"),
  },
  ...TURKU_LANGUAGES.map(turkuLanguage),
  {
    name: "mbn-cleaneval-en-test",
    ...MBN,
    origin: MBN_ORIGIN,
    languages: ["en"],
    splits: ["test"],
    training: NEVER,
    files: one("lines/mbn-cleaneval/en.test.jsonl.gz", "test"),
  },
  {
    name: "mbn-cleaneval-en-dev",
    ...MBN,
    origin: MBN_ORIGIN,
    languages: ["en"],
    splits: ["dev"],
    training: MAY,
    files: one("lines/mbn-cleaneval/en.dev.jsonl.gz", "dev"),
  },
  {
    name: "mbn-cleaneval-en-train",
    ...MBN,
    origin: MBN_ORIGIN,
    languages: ["en"],
    splits: ["train"],
    training: MAY,
    files: one("lines/mbn-cleaneval/en.train.jsonl.gz", "train"),
  },
  {
    name: "mbn-cleaneval-zh",
    ...MBN,
    origin: MBN_ORIGIN,
    languages: ["zh"],
    splits: ["all"],
    training: NEVER,
    files: one("lines/mbn-cleaneval/zh.all.jsonl.gz", "all"),
  },
  {
    name: "mbn-googletrends-dev",
    ...TRENDS,
    splits: ["dev"],
    training: NEVER,
    files: one("lines/mbn-googletrends/en.dev.jsonl.gz", "dev"),
  },
  {
    name: "mbn-googletrends-train",
    ...TRENDS,
    splits: ["train"],
    training: MAY,
    files: one("lines/mbn-googletrends/en.train.jsonl.gz", "train"),
  },
  ...(["harvest", "rkrzr", "mercury", "atf", "recipes", "juriscraper", "mirrors"] as const).map(heldOutLines),
  {
    name: "speed",
    origin: "https://github.com/adbar/trafilatura (test pages, whole)",
    licence: "Apache-2.0",
    languages: ["und"],
    splits: ["all"],
    unit: "pages",
    mainContent: "No gold: 120 whole pages of 2 KB to 1.6 MB, for speed and memory only.",
    training: NEVER,
    files: one("speed/pages.jsonl.gz", "all"),
  },
];

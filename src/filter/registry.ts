/**
 * Lists the filters by name, in the order in which they judge: cheap ones first. To add one, put its measure into the
 * file of its kind, which the registry reads, and its cases into the test.
 */
import type { Measure } from "./filter.js";
import { GOPHER_MEASURES } from "./gopher.js";
import { PROSE_MEASURES } from "./prose.js";
import { REGISTER_MEASURES, type RegisterName } from "./registers.js";
import { REPETITION_MEASURES } from "./repetition.js";
import { isUnidentifiable } from "./scripts.js";
import { SIZE_MEASURES } from "./size.js";

/** What the page or its server states. */
const STATED_MEASURES = {
  reservations: {
    says: "uses that the page or its server reserves (text mining, training of AI)",
    side: "at most",
    limit: 0,
    measure: ({ document }) => document.meta.reservations?.length ?? 0,
  },
} satisfies Readonly<Record<string, Measure>>;

/**
 * How certain the language is, as Register Oscar and FineWeb require. The limit is FineWeb's, which was set for the
 * score of another classifier.
 */
const LANGUAGE_MEASURES = {
  "language-share": {
    says: "share of the text in its main language; 0 if it cannot be detected",
    side: "at least",
    limit: 0.65,
    needsLanguage: true,
    measure: ({ language, characters: { script } }) =>
      isUnidentifiable(script) ? undefined : (language?.share ?? 0),
  },
} satisfies Readonly<Record<string, Measure>>;

const ALL = {
  ...STATED_MEASURES,
  ...SIZE_MEASURES,
  ...LANGUAGE_MEASURES,
  ...PROSE_MEASURES,
  ...GOPHER_MEASURES,
  ...REPETITION_MEASURES,
  ...REGISTER_MEASURES,
} as const;

/** The name of a filter with a limit, as `--filter` takes it. */
export type FilterName = keyof typeof ALL;
export const measures: Readonly<Record<FilterName, Measure>> = ALL;
// The keys of an object literal are its names.
export const FILTER_NAMES = Object.keys(ALL) as readonly FilterName[];

/** Limits by filter; `true` is the published limit. `register` has a list of allowed registers instead of a limit. */
export type Limits = Readonly<Partial<Record<FilterName, number | true>>> & {
  readonly register?: readonly RegisterName[];
};

const GOPHER_QUALITY = {
  "min-words": 50,
  "max-words": true,
  "min-word-length": true,
  "max-word-length": true,
  symbols: true,
  bullets: true,
  ellipses: true,
  lettered: true,
  "stop-words": true,
} as const;

const GOPHER_REPETITION = {
  "repeated-lines": true,
  "repeated-paragraphs": true,
  "repeated-line-characters": true,
  "repeated-paragraph-characters": true,
  "top-2-words": true,
  "top-3-words": true,
  "top-4-words": true,
  "repeated-5-words": true,
  "repeated-6-words": true,
  "repeated-7-words": true,
  "repeated-8-words": true,
  "repeated-9-words": true,
  "repeated-10-words": true,
} as const;

/**
 * Filters that were published together, with their values. `fineweb` is the recipe of the corpus: language, Gopher, C4
 * without its rule about end marks, and FineWeb's own filters, but without its URL lists.
 */
export const presets = {
  none: {},
  "register-oscar": {
    "min-words": 75,
    digits: true,
    foreign: true,
    "language-share": 0.5,
    "machine-text": true,
  },
  gopher: { ...GOPHER_QUALITY, ...GOPHER_REPETITION },
  c4: { "ended-sentences": true, "lorem-ipsum": true, "curly-braces": true },
  fineweb: {
    "language-share": true,
    ...GOPHER_QUALITY,
    ...GOPHER_REPETITION,
    sentences: true,
    "lorem-ipsum": true,
    "curly-braces": true,
    "line-ends": true,
    "short-lines": true,
    "line-copies": true,
    "line-breaks": true,
  },
} as const satisfies Readonly<Record<string, Limits>>;

/** The name of a published set of filters, as `--preset` takes it. */
export type PresetName = keyof typeof presets;
// The keys of an object literal are its names.
export const PRESET_NAMES = Object.keys(presets) as readonly PresetName[];

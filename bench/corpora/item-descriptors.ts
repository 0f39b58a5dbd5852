/** Describes the corpora for measuring structure, metadata and torn units, and lists the corpora for each subject. */
import type { FieldName } from "../metrics/metadata/fields.js";
import type { Subject } from "../systems/subject.js";
import { CORPORA, type CorpusDescriptor, type GoldFile } from "./descriptors.js";

const WRITTEN_WHILE =
  "rules, and no weights: the rules of metadata were written while some of these pages were read, and nobody noted which";

/** For each system by name, the fields of this gold that were made with that system or that test it. */
export type Leanings = Readonly<Record<string, readonly FieldName[]>>;

export interface MetadataDescriptor extends CorpusDescriptor {
  readonly leanings?: Leanings;
}

const ALL_FIELDS: readonly FieldName[] = ["title", "author", "date", "image", "lang", "description", "site"];

function metaFile(name: string): readonly GoldFile[] {
  return [{ path: `meta/${name}.jsonl.gz`, split: "train" }];
}

const META = { splits: ["train"], unit: "pages", gold: "metadata", training: WRITTEN_WHILE } as const;

/** Pages with the metadata that they state. */
const METADATA_CORPORA: readonly MetadataDescriptor[] = [
  {
    name: "fixtures",
    origin: "this project, fixtures/pages",
    licence: "Apache-2.0",
    languages: ["und"],
    splits: ["all"],
    unit: "pages",
    gold: "metadata",
    mainContent:
      "What about.json says that the page states: the rules of metadata must find all of it, so it is a test and no measure of them.",
    training: "never",
    files: [],
    leanings: { page: ALL_FIELDS },
  },
  {
    ...META,
    name: "meta-mercury",
    origin:
      "https://github.com/jocmp/mercury-parser, postlight/parser (fixtures of extractors for single sites)",
    licence: "MIT",
    languages: ["en", "ja", "de", "fr", "pl", "es", "zh", "fa", "it"],
    mainContent:
      "What the tests of that program expect of it, with rules for each of these sites: its own cells are no measure of it. " +
      'In 120 of the 141 pages it had already changed what they say of themselves (`<meta value="…" name="og:image">`), so ' +
      "that image, and a part of author and date, tell little of pages as they are served.",
    files: metaFile("mercury"),
    leanings: { "mercury-parser": ALL_FIELDS },
  },
  {
    ...META,
    name: "meta-atf",
    origin: "https://github.com/AndyTheFactory/article-extraction-dataset",
    licence: "Apache-2.0",
    languages: ["en"],
    mainContent:
      "Read off by people, for the maintainer of newspaper4k. Its site is a host and no name, and is not compared.",
    files: metaFile("atf"),
    leaves: ["site"],
  },
  {
    ...META,
    name: "meta-htmldate",
    origin: "https://github.com/adbar/htmldate (evaluation pages)",
    licence: "Apache-2.0",
    languages: ["und"],
    mainContent:
      "Dates of publication, by people, for the evaluation of htmldate, on whose errors it was improved; Trafilatura's dates are htmldate's.",
    files: metaFile("htmldate"),
    leanings: { htmldate: ["date"], trafilatura: ["date"] },
  },
  {
    ...META,
    name: "meta-recipes",
    origin: "https://github.com/hhursev/recipe-scrapers (test pages)",
    licence: "MIT",
    languages: ["en", "de", "nl", "fr", "pt", "sv", "it", "es", "da", "no", "hu", "und"],
    mainContent:
      "What scrapers for these sites return, mostly the schema.org data of the recipe: its name, author, picture and description, " +
      "and not those of the page, where the two differ.",
    files: metaFile("recipes"),
  },
];

/** Describes the same held-out sites as `<name>-lines-heldout`, but as pages; no model trained on these sites. */
function heldOutPages(name: string): CorpusDescriptor {
  const lines = CORPORA.find((corpus) => corpus.name === `${name}-lines-heldout`);
  if (lines === undefined) throw new Error(`there is no corpus ${name}-lines-heldout`);
  return { ...lines, name: `${name}-heldout`, unit: "pages" };
}

const STRUCTURE_CORPORA: readonly CorpusDescriptor[] = ["atf", "harvest", "rkrzr"].map(heldOutPages);

/** Corpora of pages without gold lines: they have only snippets, or no gold. */
const WITHOUT_LINES = new Set(["trafilatura-eval", "speed"]);

/** Returns the corpora on which this subject can be measured. */
export function listCorpora(subject: Subject): readonly CorpusDescriptor[] {
  if (subject === "lines") return CORPORA;
  if (subject === "metadata") return METADATA_CORPORA;
  const pages = CORPORA.filter(({ name, unit }) => unit === "pages" && !WITHOUT_LINES.has(name));
  return [...pages, ...STRUCTURE_CORPORA];
}

/** Returns the systems that the gold of a metadata corpus favours; empty for any other corpus. */
export function leaningsOf(name: string): Leanings {
  return METADATA_CORPORA.find((corpus) => corpus.name === name)?.leanings ?? {};
}

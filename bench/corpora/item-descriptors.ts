/** Describes the corpora for measuring structure, metadata and torn units, and lists the corpora for each subject. */
import type { FieldName } from "../metrics/metadata/fields.js";
import type { Subject } from "../systems/subject.js";
import { CORPORA, type CorpusDescriptor, type GoldFile } from "./descriptors.js";

const WRITTEN_WHILE =
  "rules, not weights: we read some of these pages while we wrote the rules for metadata, and did not record which";

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
      "What about.json says the page states. The rules for metadata must find all of it, so this is a test of them, not a measure.",
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
      "What the tests of mercury-parser expect. It has rules for each of these sites, so its own figures here measure nothing. " +
      'It had already changed the metadata of 120 of the 141 pages (`<meta value="…" name="og:image">`), so the figures for ' +
      "image, and some of those for author and date, say little about pages as they are served.",
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
      "Read from the pages by people, for the maintainer of newspaper4k. The site is a host, not a name, and is not compared.",
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
      "Dates of publication, found by people for the evaluation of htmldate. Its authors improved htmldate by its errors here, and Trafilatura's dates come from htmldate.",
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
      "What scrapers for these sites return, mostly the schema.org data of the recipe: its name, author, picture and " +
      "description. Where those of the page differ, they do not count.",
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

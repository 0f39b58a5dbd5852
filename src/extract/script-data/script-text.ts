/** Finds the text of a page in the data that it holds for its scripts, if that is clearly the text of this page. */
import { toFields, type Fields } from "../../json.js";
import type { ParsedPage } from "../../document/tree.js";
import { hasType } from "../metadata/json-ld.js";
import { listData, mayBeNested, parseNested } from "./blocks.js";
import { DESCRIBED, gather, LINKED, STATE } from "./gather.js";
import { belongs, identifyPage, titleOf, type PageIdentity } from "./page-identity.js";
import { escapeTags, joinPieces, type Pieces } from "./pieces.js";

/** The fewest letters of a text that is used. */
const MIN_LETTERS = 200;
/**
 * An inner object with at least this share of the most letters is the text; the rest is what a site repeats on all of
 * its pages.
 */
const MAIN_SHARE = 0.8;
const MAX_DEPTH = 48;
/** Values that are read in all data of a page, and objects of this page among them. */
const MAX_VALUES = 300_000;
const MAX_FITTING = 20;

/** Returns the text as HTML; undefined if the data has no text, or it is not clear which text is the page's. */
export function findScriptText(page: ParsedPage): string | undefined {
  const { linked, states } = listData(page.root);
  if (linked.length === 0 && states.length === 0) return undefined;
  const identity = identifyPage(page);
  const units = listUnits(linked);
  const found =
    chooseLinked(units, identity) ?? chooseState(states, identity) ?? chooseDescribed(units, identity);
  return found && `\n<main><article>${found}</article></main>`;
}

/** Lists the objects of JSON-LD; those in arrays and graphs are separate. */
function listUnits(linked: readonly unknown[]): Fields[] {
  return linked.flatMap((value): Fields[] => {
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    return items.flatMap((item) => {
      const graph: unknown = toFields(item)["@graph"];
      return Array.isArray(graph) ? graph.map(toFields) : [toFields(item)];
    });
  });
}

/** Types of objects with text. An `FAQPage` does not count: it is on all kinds of pages, and seldom their text. */
const TEXT_TYPE = /(?:Article|Posting|Report|Recipe|Review|Question|CreativeWork)$/;

/**
 * Returns the text of the object that is about this page, or of the only object with text, if it names no other page.
 */
function chooseLinked(units: readonly Fields[], identity: PageIdentity): string | undefined {
  const told = units
    .map((unit) => ({ unit, belonging: belongs(unit, identity), pieces: gather(unit, identity, LINKED) }))
    .filter(({ pieces, belonging }) => isText(pieces) && belonging !== "other");
  const own = told.filter(({ belonging }) => belonging === "own");
  const open = told.filter(({ unit }) => hasType(unit, TEXT_TYPE));
  const [first] =
    own.length > 0 || open.length > 1 ? own.sort((a, b) => b.pieces.letters - a.pieces.letters) : open;
  return first && addTitle(first.unit, first.pieces);
}

/** Types of things that a page sells, offers or announces; their only text may be their description. */
const DESCRIBED_TYPE =
  /(?:Product|JobPosting|Event|Course|VideoObject|PodcastEpisode|Place|LocalBusiness|SoftwareApplication|Book)$/;

function chooseDescribed(units: readonly Fields[], identity: PageIdentity): string | undefined {
  const [only, other] = units.filter(
    (unit) => hasType(unit, DESCRIBED_TYPE) && belongs(unit, identity) !== "other",
  );
  if (only === undefined || other !== undefined) return undefined;
  const pieces = gather({ description: only["description"] }, identity, DESCRIBED);
  return isText(pieces) ? addTitle(only, pieces) : undefined;
}

const CUT_SHORT = /(?:…|\.\.\.)\s*(?:<\/\w+>\s*)*$/;
/** Characters at the end of a text that are read. */
const MAX_ENDING = 200;

/**
 * Checks whether the pieces are enough text. A single text that is cut short is only the beginning of one elsewhere.
 */
function isText({ parts, letters, known }: Pieces): boolean {
  if (letters < MIN_LETTERS) return false;
  return known.size > 1 || !CUT_SHORT.test(parts.join("").slice(-MAX_ENDING));
}

interface Fitting {
  readonly object: Fields;
  readonly pieces: Pieces;
  readonly depth: number;
}

/**
 * Returns the text of the object of this page that has the most, or of the innermost object that has nearly as much.
 */
function chooseState(states: readonly unknown[], identity: PageIdentity): string | undefined {
  if (identity.paths.length === 0 && identity.titles.length === 0) return undefined;
  const fitting: Fitting[] = [];
  for (const { object, depth } of listFitting(states, identity)) {
    const pieces = gather(object, identity, STATE);
    if (isText(pieces)) fitting.push({ object, pieces, depth });
  }
  const most = fitting.reduce((sum, { pieces }) => Math.max(sum, pieces.letters), 0);
  const [chosen] = fitting
    .filter(({ pieces }) => pieces.letters >= most * MAIN_SHARE)
    .sort((a, b) => b.depth - a.depth);
  return chosen && addTitle(chosen.object, chosen.pieces);
}

/** Yields the objects that say that they are about this page, outer ones before inner ones. */
function* listFitting(
  states: readonly unknown[],
  identity: PageIdentity,
): Generator<{ readonly object: Fields; readonly depth: number }> {
  const open = states.map((value) => ({ value, depth: 0 }));
  const seen = new Set<unknown>();
  let left = MAX_FITTING;
  for (let next = 0; next < open.length && left > 0; next += 1) {
    const { value, depth } = open[next] ?? { value: undefined, depth: 0 };
    const inner = typeof value === "string" ? parseNested(value) : value;
    if (typeof inner !== "object" || inner === null || seen.has(inner)) continue;
    seen.add(inner);
    if (!Array.isArray(inner) && belongs(toFields(inner), identity) === "own") {
      left -= 1;
      yield { object: toFields(inner), depth };
    }
    if (depth >= MAX_DEPTH) continue;
    for (const child of Object.values(inner) as unknown[])
      if (open.length < MAX_VALUES && mayHoldObjects(child)) open.push({ value: child, depth: depth + 1 });
  }
}

function mayHoldObjects(value: unknown): boolean {
  return typeof value === "string" ? mayBeNested(value) : typeof value === "object";
}

function addTitle(object: Fields, pieces: Pieces): string {
  const title = titleOf(object);
  return `${title === undefined ? "" : `<h1>${escapeTags(title)}</h1>`}${joinPieces(pieces)}`;
}

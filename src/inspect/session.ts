/** Holds the state of one run of the inspector, and answers the requests of its page. */
import type { Document, LabelledLine } from "../document.js";
import type { LabellerChoice } from "../label/labeller-choice.js";
import type { Annotations } from "./annotate/annotations.js";
import { compareAnnotators } from "./annotate/compare-annotators.js";
import { createOwnMarks, type OwnMarks } from "./annotate/own-marks.js";
import type {
  AgreementView,
  Conflict,
  CutView,
  DocumentList,
  ListedDocument,
  MarkReply,
  MarkState,
  MarkRequest,
  Reasons,
  ShownDocument,
} from "./app/wire.js";
import { ORDERS, type Catalog, type Search } from "./records/catalog.js";
import { storedCut, viewCut } from "./cut-view.js";
import type { Entry } from "./records/entry.js";
import type { Reasoner } from "./explain.js";
import { showPage } from "./page-view.js";
import { Refusal } from "./web/refusal.js";
import { createStoredReader } from "./records/stored.js";

export interface Session {
  list(query: URLSearchParams): DocumentList;
  show(key: string, query: URLSearchParams): Promise<ShownDocument>;
  page(key: string): Promise<string>;
  cut(key: string, cut: number | undefined): Promise<CutView>;
  why(key: string, line: number): Promise<Reasons>;
  marks(key: string): Promise<MarkReply>;
  mark(request: MarkRequest): Promise<MarkReply>;
  agreement(): Promise<AgreementView>;
}

export interface SessionTools {
  readonly catalog: Catalog;
  readonly annotations: Annotations;
  readonly annotator: string;
  readonly choice: LabellerChoice;
  readonly reasoner: Reasoner;
}

const MOST_LISTED = 500;
const STATES = ["none", "begun", "done"] as const;

export function createSession(tools: SessionTools): Session {
  const { catalog, annotations, annotator, choice, reasoner } = tools;
  const own = createOwnMarks(tools);
  const stored = createStoredReader();
  const find = (key: string): Entry => {
    const entry = catalog.get(key);
    if (entry === undefined) throw new Refusal(404, `there is no document ${key}`);
    return entry;
  };
  const search = (query: URLSearchParams): readonly Entry[] => catalog.find(readSearch(query, own.stateOf));
  const reply = (entry: Entry, conflicts: readonly Conflict[] = []): MarkReply => ({
    conflicts,
    marks: Object.fromEntries(own.of(entry)),
  });
  return {
    list(query) {
      const found = search(query);
      const from = readCount(query.get("from"), 0);
      const count = Math.min(MOST_LISTED, readCount(query.get("count"), 100));
      return {
        ...{ found: found.length, total: catalog.size, isRead: catalog.isRead, from },
        documents: found.slice(from, from + count).map((entry) => toListed(entry, own)),
        facets: { lang: catalog.facet("lang"), host: catalog.facet("host"), type: catalog.facet("type") },
        ...{ progress: own.progress(), damage: catalog.damage },
      };
    },
    async show(key, query) {
      const entry = find(key);
      await annotations.refresh();
      const { document, html } = await stored(entry);
      return {
        ...describe(entry, document),
        hasPage: html !== undefined,
        marks: reply(entry).marks,
        history: annotations.historyOf(annotator, key, entry.digest),
        stale: annotations.countStale(annotator, key, entry.digest),
        ...neighbours(search(query), entry),
      };
    },
    async page(key) {
      const { document, html } = await stored(find(key));
      if (html === undefined) throw new Refusal(404, "the source of this document is not available");
      return showPage(html, document.lines);
    },
    async cut(key, cut) {
      return viewCut((await stored(find(key))).document, cut, choice);
    },
    async why(key, line) {
      return reasoner.explain((await stored(find(key))).document, line);
    },
    async marks(key) {
      await annotations.refresh();
      return reply(find(key));
    },
    async mark({ key, digest, changes }) {
      const entry = find(key);
      if (digest !== entry.digest)
        throw new Refusal(409, "the input of this document has changed; load it again");
      checkLines(changes, (await stored(entry)).document);
      return reply(entry, await annotations.change({ annotator, key, digest, changes }));
    },
    async agreement() {
      await annotations.refresh();
      const others = annotations.annotators.filter((name) => name !== annotator);
      const views: AgreementView["others"][number][] = [];
      for (const name of others)
        views.push(await compareAnnotators(annotator, name, { catalog, annotations, stored }));
      return { annotator, others: views };
    },
  };
}

function toListed(entry: Entry, own: OwnMarks): ListedDocument {
  const { key, title, url, host, lang, type, lines, kept, words, doubt } = entry;
  return {
    ...{ key, title, url, host, lang, type, lines, kept, words, doubt },
    marked: own.of(entry).size,
    state: own.stateOf(entry),
  };
}

/** Describes a document and its lines, from its entry and its record. */
function describe(
  { key, title, url, host, lang, type, kept, words, digest }: Entry,
  document: Document<LabelledLine>,
): Omit<ShownDocument, "hasPage" | "marks" | "history" | "stale" | "before" | "after"> {
  const cut = storedCut(document);
  const cuts = (document.verdict ?? document.condition)?.cuts;
  return {
    ...{ key, title, url, host, lang, type, kept, words, digest },
    ...(cut === undefined ? {} : { cut }),
    ...(cuts === undefined ? {} : { cuts }),
    lines: document.lines.map(({ text, label, score, block, path, why, linkChars, span }) => ({
      ...{ text, label, score, block, path },
      ...(why === undefined ? {} : { why }),
      isLinked: linkChars > 0,
      isOnPage: span !== undefined,
    })),
  };
}

/** Returns the keys of the previous and the next document among the found ones. */
function neighbours(found: readonly Entry[], entry: Entry): Pick<ShownDocument, "before" | "after"> {
  const at = found.indexOf(entry);
  const [before, after] = at === -1 ? [] : [found[at - 1], found[at + 1]];
  return {
    ...(before === undefined ? {} : { before: before.key }),
    ...(after === undefined ? {} : { after: after.key }),
  };
}

/** Throws Refusal if a line to be marked has no text or does not exist. */
function checkLines(changes: MarkRequest["changes"], { lines }: Document<LabelledLine>): void {
  for (const { line } of changes)
    if ((lines[line]?.text ?? "").trim() === "")
      throw new Refusal(400, `line ${line + 1} has no text or does not exist`);
}

function readSearch(query: URLSearchParams, stateOf: (entry: Entry) => MarkState): Search {
  const read = (name: string): string => query.get(name) ?? "";
  const state = STATES.find((one) => one === read("state"));
  const least = Number(read("doubt")) / 100;
  return {
    ...{ text: read("text").trim(), lang: read("lang"), host: read("host"), type: read("type") },
    order: ORDERS.find((order) => order === read("order")) ?? "input",
    fits: (entry) => (state === undefined || stateOf(entry) === state) && !(entry.doubt < least),
  };
}

function readCount(text: string | null, usual: number): number {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : usual;
}

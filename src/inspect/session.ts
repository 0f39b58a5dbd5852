/** Holds what one run of the inspector knows, and answers what its page asks. */
import type { LabellerChoice } from "../label/labeller-choice.js";
import type { Annotations, Marks } from "./annotate/annotations.js";
import { compareAnnotators } from "./annotate/compare-annotators.js";
import type {
  AgreementView,
  Conflict,
  CutView,
  DocumentList,
  ListedDocument,
  MarkReply,
  MarkState,
  MarkRequest,
  Progress,
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
  const marksOf = ({ key, digest }: Entry): Marks => annotations.marksOf(annotator, key, digest);
  const stateOf = (entry: Entry): MarkState => {
    const { size } = marksOf(entry);
    return size === 0 ? "none" : size < entry.lines ? "begun" : "done";
  };
  const find = (key: string): Entry => {
    const entry = catalog.get(key);
    if (entry === undefined) throw new Refusal(404, `there is no document ${key}`);
    return entry;
  };
  const toListed = (entry: Entry): ListedDocument => {
    const { key, title, url, host, lang, type, lines, kept, words, doubt } = entry;
    return {
      ...{ key, title, url, host, lang, type, lines, kept, words, doubt },
      marked: marksOf(entry).size,
      state: stateOf(entry),
    };
  };
  const search = (query: URLSearchParams): readonly Entry[] => catalog.find(readSearch(query, stateOf));
  const progress = (): Progress => {
    const counts = { done: 0, begun: 0, lines: 0 };
    for (const key of annotations.keys) {
      const entry = catalog.get(key);
      if (entry === undefined) continue;
      const state = stateOf(entry);
      if (state !== "none") counts[state] += 1;
      counts.lines += marksOf(entry).size;
    }
    return { annotator, ...counts };
  };
  const stored = createStoredReader();
  const reply = (entry: Entry, conflicts: readonly Conflict[] = []): MarkReply => ({
    conflicts,
    marks: Object.fromEntries(marksOf(entry)),
  });
  return {
    list(query) {
      const found = search(query);
      const from = readCount(query.get("from"), 0);
      const count = Math.min(MOST_LISTED, readCount(query.get("count"), 100));
      return {
        ...{ found: found.length, total: catalog.size, isRead: catalog.isRead, from },
        documents: found.slice(from, from + count).map(toListed),
        facets: { lang: catalog.facet("lang"), host: catalog.facet("host"), type: catalog.facet("type") },
        ...{ progress: progress(), damage: catalog.damage },
      };
    },
    async show(key, query) {
      const entry = find(key);
      await annotations.refresh();
      const { document, html } = await stored(entry);
      const found = search(query);
      const at = found.indexOf(entry);
      const [before, after] = at === -1 ? [] : [found[at - 1], found[at + 1]];
      const cut = storedCut(document);
      const cuts = (document.verdict ?? document.condition)?.cuts;
      const { title, url, host, lang, type, kept, words, digest } = entry;
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
        hasPage: html !== undefined,
        marks: reply(entry).marks,
        history: annotations.historyOf(annotator, key, digest),
        stale: annotations.countStale(annotator, key, digest),
        ...(before === undefined ? {} : { before: before.key }),
        ...(after === undefined ? {} : { after: after.key }),
      };
    },
    async page(key) {
      const { document, html } = await stored(find(key));
      if (html === undefined) throw new Refusal(404, "the source of this document is not at hand");
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
        throw new Refusal(409, "this document is shown as it was before its input changed: load it again");
      const { document } = await stored(entry);
      for (const { line } of changes)
        if ((document.lines[line]?.text ?? "").trim() === "")
          throw new Refusal(400, `line ${line + 1} holds no text, or is none`);
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

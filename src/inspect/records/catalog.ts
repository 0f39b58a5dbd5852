/** Lists the documents that were read so far, and searches them. */
import type { Facet } from "../app/wire.js";
import type { Entry } from "./entry.js";
import { compareTexts } from "../../text-order.js";

/** Most documents in the list; each takes some 500 bytes of memory. */
const MOST_DOCUMENTS = 500_000;
const SHOWN_DAMAGE = 20;
const SHOWN_FACETS = 200;

export const ORDERS = ["input", "doubt", "title", "words"] as const;
export type Order = (typeof ORDERS)[number];

export interface Search {
  /** Words that title, id or address must contain, ignoring case. */
  readonly text: string;
  readonly lang: string;
  readonly host: string;
  readonly type: string;
  readonly order: Order;
  /** Any other condition. */
  readonly fits: (entry: Entry) => boolean;
}

export interface Catalog {
  readonly size: number;
  /** Whether all inputs have been read. */
  isRead: boolean;
  /** Returns a key that no other document has. */
  nameKey(id: string): string;
  /** Returns false if the list is full. */
  add(entry: Entry): boolean;
  addDamage(what: string): void;
  readonly damage: { readonly count: number; readonly first: readonly string[] };
  get(key: string): Entry | undefined;
  all(): Iterable<Entry>;
  find(search: Search): readonly Entry[];
  facet(field: "lang" | "host" | "type"): Facet;
}

export function createCatalog(): Catalog {
  const entries: Entry[] = [];
  const byKey = new Map<string, Entry>();
  const ids = new Map<string, number>();
  const facets = {
    lang: new Map<string, number>(),
    host: new Map<string, number>(),
    type: new Map<string, number>(),
  };
  const damage = { count: 0, first: [] as string[] };
  return {
    isRead: false,
    get size() {
      return entries.length;
    },
    nameKey(id) {
      let number = (ids.get(id) ?? 0) + 1;
      while (number > 1 && ids.has(`${id}#${number}`)) number += 1;
      ids.set(id, number);
      if (number === 1) return id;
      const key = `${id}#${number}`;
      ids.set(key, 1);
      return key;
    },
    add(entry) {
      if (entries.length >= MOST_DOCUMENTS) return false;
      entries.push(entry);
      byKey.set(entry.key, entry);
      for (const field of ["lang", "host", "type"] as const)
        facets[field].set(entry[field], (facets[field].get(entry[field]) ?? 0) + 1);
      return true;
    },
    addDamage(what) {
      damage.count += 1;
      if (damage.first.length < SHOWN_DAMAGE) damage.first.push(what);
    },
    damage,
    get: (key) => byKey.get(key),
    all: () => entries,
    find: (search) =>
      sort(
        entries.filter((entry) => isFound(entry, search)),
        search.order,
      ),
    facet: (field) => [...facets[field]].sort(([, a], [, b]) => b - a).slice(0, SHOWN_FACETS),
  };
}

function isFound(entry: Entry, { text, lang, host, type, fits }: Search): boolean {
  if (lang !== "" && entry.lang !== lang) return false;
  if (host !== "" && entry.host !== host) return false;
  if (type !== "" && entry.type !== type) return false;
  if (text !== "") {
    const all = `${entry.title}\n${entry.key}\n${entry.url}`.toLowerCase();
    if (
      !text
        .toLowerCase()
        .split(/\s+/)
        .every((word) => all.includes(word))
    )
      return false;
  }
  return fits(entry);
}

function sort(entries: Entry[], order: Order): readonly Entry[] {
  if (order === "doubt") return entries.sort((a, b) => b.doubt - a.doubt);
  if (order === "words") return entries.sort((a, b) => b.words - a.words);
  if (order === "title") return entries.sort((a, b) => compareTexts(a.title || a.key, b.title || b.key));
  return entries;
}

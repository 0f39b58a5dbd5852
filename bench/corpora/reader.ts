/** Reads gold files in the normal form as gold documents, each page once, and reports the rows it left out. */
import { createHash } from "node:crypto";
import { access } from "node:fs/promises";
import { basename, join } from "node:path";
import type { CorpusProblem, GoldDocument } from "./gold.js";
import type { CorpusDescriptor, GoldFile } from "./descriptors.js";
import { digestDocument } from "./digest.js";
import { readJsonlLines } from "./jsonl.js";
import { readRow, type RowContext } from "./rows.js";

/** Thrown when the data of a corpus is not on this machine; the message says where to get it. */
export class CorpusMissing extends Error {
  constructor(
    readonly corpus: string,
    message: string,
  ) {
    super(message);
    this.name = "CorpusMissing";
  }
}

/**
 * Yields the documents of a corpus and reports bad and repeated rows as problems. Throws CorpusMissing if a file is
 * missing.
 */
export async function* readGold(
  descriptor: CorpusDescriptor,
  goldDir: string,
  report: (problem: CorpusProblem) => void,
): AsyncGenerator<GoldDocument> {
  await requireFiles(descriptor, goldDir);
  const once = new Once();
  for (const file of descriptor.files) {
    const { name, unit, isOwn, gold, leaves } = descriptor;
    const context = {
      ...{ corpus: name, unit, split: file.split },
      ...(isOwn && { isOwn }),
      ...(gold && { gold, leaves: leaves ?? [] }),
    };
    for await (const found of readFile(join(goldDir, file.path), context)) {
      if ("problem" in found) report({ ...found, file: file.path });
      else if (isWanted(found.document, file)) {
        const twin = once.twinOf(found.document);
        if (twin === undefined) yield found.document;
        else report({ file: file.path, line: found.line, problem: "duplicate", detail: twin });
      }
    }
  }
}

/** Returns whether all files of a corpus can be read. */
export async function hasGold(descriptor: CorpusDescriptor, goldDir: string): Promise<boolean> {
  const found = await Promise.all(descriptor.files.map(({ path }) => isReadable(join(goldDir, path))));
  return found.every(Boolean);
}

/** Detects documents that occurred before, by id or by content. */
export class Once {
  private readonly ids = new Set<string>();
  private readonly contents = new Map<string, string>();

  /** Returns a sentence that says what the document repeats, or undefined if it is new. */
  twinOf(document: GoldDocument): string | undefined {
    if (this.ids.has(document.id)) return `${document.id} occurs twice`;
    this.ids.add(document.id);
    const content = digestDocument(document);
    const first = this.contents.get(content);
    if (first !== undefined) return `${document.id} is the same page as ${first}`;
    this.contents.set(content, document.id);
    return undefined;
  }
}

type Found = { readonly line: number; readonly document: GoldDocument } | Omit<CorpusProblem, "file">;

async function* readFile(path: string, context: RowContext): AsyncGenerator<Found> {
  for await (const event of readJsonlLines(path)) {
    if (event.kind === "broken") {
      yield { line: event.number, problem: "truncated", detail: event.detail };
      continue;
    }
    const row = readRow(event.text, context);
    if (row.ok) yield { line: event.number, document: row.document };
    else yield { line: event.number, problem: "bad-row", detail: row.detail };
  }
}

function isWanted(document: GoldDocument, file: GoldFile): boolean {
  if (file.only !== undefined && document.split !== file.only) return false;
  if (file.apartFrom !== undefined && (document.url === "" || sharesHost(document, file.apartFrom)))
    return false;
  return file.heldOutSites !== true || isHeldOut(document);
}

function sharesHost({ hostIn = [] }: GoldDocument, sets: readonly string[]): boolean {
  return hostIn.some((set) => sets.includes(set));
}

/** Training leaves out one site in five, by the same hash as in models/train/common/gold.py. */
const HELD_OUT_SITES = 5n;

/**
 * Returns whether training leaves out the document's site: the last two labels of its host, or its id if it has no URL.
 */
export function isHeldOut({ url, id }: Pick<GoldDocument, "url" | "id">): boolean {
  const host = /^[a-z][a-z0-9+.-]{0,20}:\/\/([^/?#]*)/i.exec(url)?.[1] ?? "";
  const site = (host === "" ? id : host).toLowerCase().split(".").slice(-2).join(".");
  const digest = createHash("sha256").update(site).digest("hex");
  return BigInt(`0x${digest}`) % HELD_OUT_SITES === 0n;
}

async function requireFiles(descriptor: CorpusDescriptor, goldDir: string): Promise<void> {
  for (const { path } of descriptor.files) {
    if (await isReadable(join(goldDir, path))) continue;
    throw new CorpusMissing(
      descriptor.name,
      `corpus ${descriptor.name}: ${join(goldDir, path)} is missing. ` +
        `Get the data from ${descriptor.origin} (${descriptor.licence}), ` +
        `convert it as bench/corpora/README.md says into ${basename(path)}, ` +
        `and name the folder that holds lines/ and pages/ with --gold.`,
    );
  }
}

async function isReadable(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false; // whatever the reason, the corpus cannot be read
  }
}

/** Divides inputs into shards of similar size, in the order of the inputs. */
import { tellCount } from "../../count.js";
import { resolve } from "node:path";
import { findPlaces, isUrl } from "../../acquire/files.js";
import type { PartsOptions } from "../../acquire/open-parts.js";
import { UsageError } from "../../outcome.js";
import { lookAtFile } from "../store/etag.js";
import { nameShard, sizeOfRow, type ShardInput, type ShardRow } from "./manifest.js";
import { splitFile } from "./split.js";
import { messageOf } from "../../thrown.js";

/** Target size of a shard in bytes: one file of Common Crawl, or five to fifteen minutes of work. */
export const SHARD_BYTES = 1_000_000_000;
/** A file is cut from this many shard sizes on; the parts of a smaller file would differ too much in size. */
const LARGE = 2;
/** Limit of inputs per row, so that a row can be read at once. */
const MOST_INPUTS = 10_000;

export interface PlanOptions extends Pick<PartsOptions, "from" | "column" | "maxBytes"> {
  readonly shardBytes: number;
  readonly signal: AbortSignal;
  /** Reports slow steps to the user. */
  readonly say: (sentence: string) => void;
}

/** Plans the rows of the manifest. Throws UsageError for a missing input, and when there is no input. */
export async function planRows(
  inputs: AsyncIterable<string> | Iterable<string>,
  options: PlanOptions,
): Promise<ShardRow[]> {
  return packRows(findAll(inputs, options), options);
}

async function* findAll(
  inputs: AsyncIterable<string> | Iterable<string>,
  options: PlanOptions,
): AsyncGenerator<ShardInput[]> {
  for await (const input of inputs) yield* findInputs(input, options);
}

/**
 * Groups files until they make a shard; each part of a cut file is a shard of its own. Throws UsageError when there are
 * no files.
 */
export async function packRows(
  found: AsyncIterable<readonly ShardInput[]>,
  { shardBytes }: Pick<PlanOptions, "shardBytes">,
): Promise<ShardRow[]> {
  const rows: ShardInput[][] = [];
  let row: ShardInput[] = [];
  let bytes = 0;
  const named = new Set<string>();
  const end = (): void => {
    if (row.length > 0) rows.push(row);
    row = [];
    bytes = 0;
  };
  for await (const files of found)
    for (const file of files) {
      const name = isUrl(file.uri) ? file.uri : resolve(file.uri);
      if (file.offset === 0 && named.has(name)) throw new UsageError(`${file.uri} is given twice`);
      named.add(name);
      const size = sizeOfRow({ shard: "", inputs: [file] });
      if (bytes + size > shardBytes || row.length >= MOST_INPUTS || files.length > 1) end();
      row.push(file);
      bytes += size;
      if (files.length > 1) end();
    }
  end();
  if (rows.length === 0) throw new UsageError("there are no inputs for the job");
  return rows.map((inputs, index) => ({ shard: nameShard(index, inputs), inputs }));
}

/** Yields the files of one input, each as one part or several. */
async function* findInputs(input: string, options: PlanOptions): AsyncGenerator<ShardInput[]> {
  const { shardBytes, signal, say } = options;
  const others = { name: 0, hidden: 0 };
  for await (const found of findPlaces(input, signal, (why) => {
    others[why] += 1;
  })) {
    if ("ok" in found)
      throw new UsageError(
        `${found.id} cannot be planned: ${found.detail ?? found.reason.replace("-", " ")}`,
      );
    const { id } = found;
    if (found.kind === "stdin")
      throw new UsageError("a shard cannot read stdin; to read a list of paths from stdin, use --paths -");
    if (found.facts !== undefined) {
      const { size, etag } = found.facts;
      yield [{ uri: id, bytes: size, etag, offset: 0, length: null }];
      continue;
    }
    if (isUrl(id)) throw new UsageError(`${id} cannot be planned: a shard reads only files`);
    const facts = await lookAtFile(id).catch((cause: unknown) => {
      throw new UsageError(`${id} cannot be planned: ${messageOf(cause)}`);
    });
    if (facts.bytes < shardBytes * LARGE) yield [{ uri: id, ...facts, offset: 0, length: null }];
    else {
      say(`looking for places to cut ${id} (${tellCount(facts.bytes, "byte")})`);
      yield await splitFile({ uri: id, path: id, ...facts }, { ...options, size: shardBytes });
    }
  }
  if (others.name > 0) say(`${input}: files with other names, not read: ${others.name}`);
  if (others.hidden > 0) say(`${input}: hidden files, not read: ${others.hidden}`);
}

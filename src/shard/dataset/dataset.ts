/**
 * Writes the results of a job as a folder for the `datasets` library and the Hugging Face hub: Parquet tables and a
 * card.
 */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { toFields } from "../../json.js";
import { UsageError } from "../../outcome.js";
import { describeDataset, isUnedited, type DatasetFacts } from "./dataset-card.js";
import { mergeToParquet, type DoneShard, type Merging } from "../merge.js";
import { readReceipts } from "../status.js";
import { moveFile } from "../../write/files/move-file.js";
import { codeOf } from "../../thrown.js";
import { explained } from "../../write-error.js";

/** Target size of a table in unpacked bytes of records; the file has a quarter to a half of that. */
const TABLE_BYTES = 1_000_000_000;
export const CARD = "README.md";
/** The card beside one that a person has edited. */
const NEW_CARD = "README.new.md";
const DATA = "data";

export interface NewDataset {
  readonly merging: Merging;
  readonly folder: string;
  /** The number of shards left out because they are not done. */
  readonly missing: number;
}

interface Dataset {
  readonly documents: number;
  /** The file name of its card. */
  readonly card: string;
}

/**
 * Writes the dataset. Each file appears complete or not at all, the card last. Throws UsageError when the folder holds
 * other tables.
 */
export async function writeDataset({ merging, folder, missing }: NewDataset): Promise<Dataset> {
  const tables = groupShards(merging.shards);
  const names = tables.map((_, at) => nameTable(at, tables.length));
  await makeData(folder, new Set(names));
  const texts = createTexts();
  for (const [at, shards] of tables.entries()) {
    const path = join(folder, DATA, names[at] ?? "");
    await mergeToParquet({ ...merging, shards }, path, texts.add);
  }
  const facts: DatasetFacts = {
    name: basename(resolve(folder)),
    job: merging.opened.job,
    ...texts.facts(),
    ...(await sumReceipts(merging)),
    duplicates: merging.duplicates,
    missing,
  };
  const old = join(folder, CARD);
  const found = await explained(old, () =>
    readFile(old, "utf8").catch((error: unknown) => {
      if (codeOf(error) !== "ENOENT") throw error;
    }),
  );
  const card = typeof found !== "string" || isUnedited(found) ? CARD : NEW_CARD;
  const draft = join(folder, `.${CARD}.draft`);
  const path = join(folder, card);
  await explained(path, async () => {
    await writeFile(draft, describeDataset(facts));
    await moveFile(draft, path);
  });
  return { documents: facts.documents, card };
}

/** Names a table as the library expects: the name states the split and the number of tables. */
function nameTable(at: number, of: number): string {
  const number = (value: number): string => String(value).padStart(5, "0");
  return `train-${number(at)}-of-${number(of)}.parquet`;
}

/** Groups shards in order, so that each group makes one table. Skips shards without documents. */
function groupShards(shards: readonly DoneShard[]): DoneShard[][] {
  const tables: DoneShard[][] = [];
  let bytes = 0;
  for (const shard of shards) {
    if (shard.text.records === 0) continue;
    const last = tables.at(-1);
    if (last === undefined || bytes + shard.text.plainBytes > TABLE_BYTES) {
      tables.push([shard]);
      bytes = shard.text.plainBytes;
    } else {
      last.push(shard);
      bytes += shard.text.plainBytes;
    }
  }
  // A corpus without documents becomes one table without rows.
  return tables.length === 0 ? [[]] : tables;
}

async function makeData(folder: string, names: ReadonlySet<string>): Promise<void> {
  const path = join(folder, DATA);
  const found = await explained(path, async () => {
    await mkdir(path, { recursive: true });
    return readdir(path);
  });
  const other = found.find((name) => name.endsWith(".parquet") && !names.has(name));
  if (other !== undefined)
    throw new UsageError(
      `${path} holds ${other}, which would be read as a part of the dataset; give another folder with -o`,
    );
}

/** Counts documents, words, characters and languages of the records. */
function createTexts(): {
  readonly add: (line: string) => void;
  facts(): Pick<DatasetFacts, "documents" | "words" | "characters" | "languages">;
} {
  const counts = { documents: 0, words: 0, characters: 0 };
  const languages = new Map<string, number>();
  return {
    add(line) {
      const { lang, words, text } = toFields(JSON.parse(line));
      counts.documents += 1;
      counts.words += typeof words === "number" ? words : 0;
      counts.characters += typeof text === "string" ? text.length : 0;
      if (typeof lang === "string") languages.set(lang, (languages.get(lang) ?? 0) + 1);
    },
    facts: () => ({ ...counts, languages }),
  };
}

async function sumReceipts({
  opened,
  shards,
}: Merging): Promise<Pick<DatasetFacts, "read" | "rejected" | "reasons" | "passedOver">> {
  const merged = new Set(shards.map(({ shard }) => shard));
  const sum = { read: 0, rejected: 0 };
  const reasons = new Map<string, number>();
  const passedOver = new Map<string, number>();
  const add = (to: Map<string, number>, counts: Readonly<Record<string, number>>): void => {
    for (const [name, count] of Object.entries(counts)) to.set(name, (to.get(name) ?? 0) + count);
  };
  for await (const { row, receipt } of readReceipts(opened)) {
    if (receipt === undefined || !merged.has(row.shard)) continue;
    sum.read += receipt.in;
    sum.rejected += receipt.rejected;
    add(reasons, receipt.reasons);
    add(passedOver, receipt.passedOver);
  }
  return { ...sum, reasons, passedOver };
}

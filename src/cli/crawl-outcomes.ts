/** What became of each URL of a crawl into the rows of a table. */
import type { CrawlOutcome } from "../crawl/types.js";
import { VERSION } from "../version.js";
import { writeTable } from "../write/table-file.js";
import type { TableColumn, TableRow } from "../write/table.js";

/** The fields of an outcome, in an order in which people read them. */
const COLUMNS = {
  url: "string",
  result: "string",
  reason: "string",
  detail: "string",
  status: "int",
  contentType: "string",
  redirectedTo: "string",
  seed: "string",
  depth: "int",
  bytes: "int",
  ms: "int",
  fetchedAt: "string",
  attempts: "int",
  warcFile: "string",
  warcOffset: "int",
  warcRecord: "string",
  isConfirmed: "boolean",
} satisfies Record<keyof CrawlOutcome, TableColumn["type"]>;

/** JSON Lines, CSV or Parquet, as the name says. Throws OutputError where it cannot be written. */
export async function writeOutcomes(path: string, outcomes: AsyncIterable<CrawlOutcome>): Promise<void> {
  const columns = Object.entries(COLUMNS).map(([name, type]) => ({ name, type }));
  await writeTable(path, toRows(outcomes), { name: "url", columns, version: VERSION });
}

async function* toRows(outcomes: AsyncIterable<CrawlOutcome>): AsyncGenerator<TableRow> {
  for await (const outcome of outcomes)
    yield { ...outcome, ...(outcome.ms === undefined ? {} : { ms: Math.round(outcome.ms) }) };
}

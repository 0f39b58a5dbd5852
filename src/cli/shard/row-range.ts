/** Parses the rows of a manifest that a command works on. */
import { InvalidArgumentError } from "commander";
import { tellCount } from "../../count.js";
import { UsageError } from "../../outcome.js";
import type { Job } from "../../shard/job.js";

/** Rows from the first to the last one, both included. */
export interface RowRange {
  readonly first: number;
  readonly last: number;
}

const MOST_ROWS = 1_000_000;

/** Parses "7" or "0-9". Throws InvalidArgumentError, also for more than `MOST_ROWS` rows. */
export function parseRange(value: string): RowRange {
  const [, first = "", last = first] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(value) ?? [];
  const range = { first: Number(first), last: Number(last) };
  if (first === "" || range.last < range.first || range.last - range.first >= MOST_ROWS)
    throw new InvalidArgumentError("It must be a row, from 0, or rows as in 0-9.");
  return range;
}

export function parseAttempt(value: string): string {
  if (!/^[\w-]{1,64}$/.test(value))
    throw new InvalidArgumentError("It must be letters, digits, - and _, at most 64 of them.");
  return value;
}

/** Throws UsageError if the job has fewer rows. */
export function checkRange({ last }: RowRange, { shards }: Job, place: string): void {
  if (last < shards) return;
  const rows = shards === 1 ? "number 0" : `numbered from 0 to ${shards - 1}`;
  throw new UsageError(`there is no row ${last}: ${place} has ${tellCount(shards, "shard")}, ${rows}`);
}

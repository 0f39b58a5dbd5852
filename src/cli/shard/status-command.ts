/** Defines `thresher shard status JOB`, which reports the progress of a job. */
import type { Command } from "commander";
import { formatCount, tellCount, tellMany } from "../../count.js";
import { EXIT } from "../../outcome.js";
import { openJob } from "../../shard/job.js";
import { readStatus, type JobState, type Status } from "../../shard/status.js";
import { toOneLine, type Io } from "../io.js";
import { finishShard } from "./finish.js";

const CODES: Readonly<Record<JobState, number>> = {
  done: EXIT.done,
  partial: EXIT.done,
  running: EXIT.tryAgain,
  waiting: EXIT.tryAgain,
  failed: EXIT.badShard,
};
/** Most failed shards that are listed. */
const MOST_LISTED = 20;

const HELP = `
States: done; partial (all are done except at most one failed shard in a thousand); running; waiting (some still have
to run); failed (more failed). A shard has failed after four attempts, or after one attempt that found that it can
never work.

Exit codes: 0 done or partial, 75 running or waiting, 65 failed.
`;

export function addStatusCommand(parent: Command, io: Io, finish: (code: number) => void): void {
  parent
    .command("status")
    .summary("shows the progress of a job")
    .description(
      "Shows how many shards are done, running, failed and missing, and how long the rest will take.",
    )
    .usage("[options] JOB")
    .argument("<dir>", "the folder of the job")
    .option("--json", "print all of it as one JSON object")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", HELP)
    .action((place: string, { json }: { readonly json?: boolean }) =>
      finishShard(io, finish, async () => {
        const status = await readStatus(await openJob(place));
        io.stdout.write(json === true ? `${JSON.stringify(status)}\n` : formatStatus(status));
        return CODES[status.state];
      }),
    );
}

function formatStatus(status: Status): string {
  const { documents, bytes, work, reasons, failures } = status;
  const share = bytes.planned === 0 ? 1 : bytes.done / bytes.planned;
  const rows: readonly (readonly [string, string])[] = [
    ["state", status.state],
    [
      "shards",
      `${formatCount(status.done)} of ${formatCount(status.shards)} done (${(share * 100).toFixed(1)} % of the bytes)`,
    ],
    ["running", formatCount(status.running)],
    ["failed", formatCount(status.failed)],
    [
      "missing",
      `${formatCount(status.missing)}${status.tried > 0 ? `, of which ${formatCount(status.tried)} have been tried` : ""}`,
    ],
    ["documents", `${formatCount(documents.out)} of ${formatCount(documents.in)}`],
    ["rejects", `${formatCount(documents.rejected)}${listReasons(reasons)}`],
    ...(bytes.skipped > 0 ? [["damaged", `${tellMany(bytes.skipped, "byte")} skipped`] as const] : []),
    [
      "work",
      `${formatTime(work.seconds)}, CPU ${formatTime(work.cpuSeconds)}, at most ${formatCount(work.peakMemoryMb)} MB`,
    ],
    ...(status.secondsLeft === null || status.missing + status.running === 0
      ? []
      : [["left", `about ${formatTime(status.secondsLeft)}`] as const]),
    ...(status.toRun.length === 0 ? [] : [["to run", listRanges(status.toRun)] as const]),
  ];
  const listed = failures
    .slice(0, MOST_LISTED)
    .map(
      ({ index, shard, attempts, message }) =>
        `failed: --index ${index} (${shard}) after ${tellCount(attempts, "attempt")}: ${toOneLine(message)}\n`,
    );
  return `${rows.map(([name, value]) => `${name.padEnd(10)} ${value}\n`).join("")}${listed.join("")}`;
}

function listReasons(reasons: Readonly<Record<string, number>>): string {
  const listed = Object.entries(reasons).map(([reason, count]) => `${reason} ${formatCount(count)}`);
  return listed.length === 0 ? "" : `: ${listed.join(", ")}`;
}

/** Most ranges that fit on a line. */
const MOST_RANGES = 10;

function listRanges(ranges: readonly string[]): string {
  const shown = ranges.slice(0, MOST_RANGES).join(",");
  return ranges.length > MOST_RANGES ? `${shown},… (--json lists all)` : shown;
}

function formatTime(seconds: number): string {
  if (seconds < 120) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  if (seconds < 7200) return `${(seconds / 60).toFixed(0)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

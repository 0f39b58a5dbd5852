/** Defines `thresher shard verify JOB`, which checks that nothing is lost or processed twice. */
import type { Command } from "commander";
import { formatCount, tellMany } from "../../count.js";
import { EXIT } from "../../outcome.js";
import { openJob } from "../../shard/job.js";
import { toRanges } from "../../shard/status.js";
import { verifyJob, type Verdict } from "../../shard/verify.js";
import { showCount, toOneLine, type Io } from "../io.js";
import { finishShard } from "./finish.js";

const HELP = `
Checks that each row of the manifest has a receipt, that no two shards read the same bytes, that in = out + rejected,
and that each file has the records and the sha256 that its receipt states. Files without a receipt are listed:
attempts that died leave them behind, and they do no harm.

Exit codes: 0 everything is right, 75 shards are missing but the others are right, 65 something is wrong.
`;

const WRONG =
  "something is wrong; to redo a shard, remove its file in receipts/ and run its row again (shard status lists the rows)\n";

export function addVerifyCommand(parent: Command, io: Io, finish: (code: number) => void): void {
  parent
    .command("verify")
    .summary("checks that nothing is lost or doubled")
    .description("Reads all outputs again, and compares them with the receipts and the manifest.")
    .usage("[options] JOB")
    .argument("<dir>", "the folder of the job")
    .option("--json", "print all of it as one JSON object")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", HELP)
    .action((place: string, { json }: { readonly json?: boolean }) =>
      finishShard(io, finish, async () => {
        const verdict = await verify(place, io);
        io.stdout.write(json === true ? `${JSON.stringify(verdict)}\n` : formatVerdict(verdict));
        if (verdict.problems.length > 0) return EXIT.badShard;
        return verdict.missing.length > 0 ? EXIT.tryAgain : EXIT.done;
      }),
    );
}

async function verify(place: string, io: Io): Promise<Verdict> {
  const opened = await openJob(place);
  return showCount("shard", io, (count) =>
    verifyJob(opened, () => {
      io.signal.throwIfAborted();
      count();
    }),
  );
}

/** Most problems and files that are listed. */
const MOST_LISTED = 50;

function formatVerdict({ shards, done, missing, problems, strays, documents }: Verdict): string {
  const list = (what: string, all: readonly string[]): string =>
    all
      .slice(0, MOST_LISTED)
      .map((one) => `${what}: ${toOneLine(one)}\n`)
      .join("");
  const { in: read, out, rejected } = documents;
  return [
    `${formatCount(done)} of ${tellMany(shards, "shard")}: ${tellMany(read, "document")} = ${formatCount(out)} out + ${formatCount(rejected)} rejected\n`,
    missing.length === 0 ? "" : `missing: ${toRanges(missing).slice(0, MOST_LISTED).join(",")}\n`,
    list("wrong", problems),
    list("no receipt names", strays),
    problems.length > 0 ? WRONG : missing.length > 0 ? "not done\n" : "everything is right\n",
  ].join("");
}

/** Defines `thresher shard`: a job in shards, which any engine can run, with a command for each step. */
import type { Command } from "commander";
import type { Io } from "../io.js";
import { addPlanCommand } from "./plan-command.js";
import { addRunCommand } from "./run-command.js";

const EXAMPLES = `
Examples:
  thresher shard plan crawl/*.warc.gz -o job         divides the inputs; prints how many shards there are
  seq 0 9 | xargs -P2 -I{} thresher shard run job --index {}     runs them, two at a time, on this machine
  thresher shard run job                             runs the shard that an engine names (Slurm, Kubernetes, AWS Batch)
`;

/** What engines go by. */
export const SHARD_EXIT_CODES = `
Exit codes: 0 done, or done before; 2 wrong usage; 65 this shard can never work: another model, an input that has
changed; 75 try again: a full disk, a network that is down; 130 interrupted.
`;

export function addShardCommand(program: Command, io: Io, finish: (code: number) => void): void {
  const command = program
    .command("shard")
    .summary("a job in shards, for many processes or machines")
    .description(
      "Divides a corpus into shards, runs them one by one wherever, and puts the results together.",
    )
    .usage("STEP [options]")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", `${EXAMPLES}${SHARD_EXIT_CODES}`);
  addPlanCommand(command, io, finish);
  addRunCommand(command, io, finish);
}

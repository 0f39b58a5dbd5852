/** Defines `thresher shard`, which runs a job in shards on any engine, with a command for each step. */
import type { Command } from "commander";
import type { Io } from "../io.js";
import { addDedupCommand } from "./dedup-command.js";
import { addMergeCommand } from "./merge-command.js";
import { addPlanCommand } from "./plan-command.js";
import { addRetryCommand } from "./retry-command.js";
import { addRunCommand } from "./run-command.js";
import { addStatusCommand } from "./status-command.js";
import { addVerifyCommand } from "./verify-command.js";

const EXAMPLES = `
Examples:
  thresher shard plan crawl/*.warc.gz -o job         divides the inputs; prints how many shards there are
  seq 0 9 | xargs -P2 -I{} thresher shard run job --index {}     runs them, two at a time, on this machine
  thresher shard run job                             runs the shard that an engine names (Slurm, Kubernetes, AWS Batch)
  thresher shard status job                          tells what is done, and what is left
  thresher shard merge job -o corpus.jsonl.gz        puts the results together, in the order of the inputs
  thresher shard verify job                          checks that nothing is lost or doubled
`;

/** The exit codes that engines use. */
const SHARD_EXIT_CODES = `
Exit codes: 0 done, now or before; 2 wrong usage; 65 this shard can never work (another model, or a changed input);
75 try again (the disk is full, or the network is down); 130 interrupted.
`;

export function addShardCommand(program: Command, io: Io, finish: (code: number) => void): void {
  const command = program
    .command("shard")
    .summary("a job in shards, for many processes or machines")
    .description("Divides a corpus into shards, runs them on any machines, and merges the results.")
    .usage("STEP [options]")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", `${EXAMPLES}${SHARD_EXIT_CODES}`);
  addPlanCommand(command, io, finish);
  addRunCommand(command, io, finish);
  addDedupCommand(command, io, finish);
  addStatusCommand(command, io, finish);
  addMergeCommand(command, io, finish);
  addVerifyCommand(command, io, finish);
  addRetryCommand(command, io, finish);
}

/** Defines `thresher models`, which lists the shipped models (name, kind, size, path) and the engines that run them. */
import type { Command } from "commander";
import { listEngines } from "../label/network/engines.js";
import { listModels } from "../label/models/shipped-models.js";
import { EXIT } from "../outcome.js";
import type { Io } from "./io.js";

export function addModelsCommand(program: Command, io: Io, finish: (code: number) => void): Command {
  return program
    .command("models")
    .summary("list the models that ship with this version, and the engines that run them")
    .description(
      "Lists the models that ship with this version (name, kind, size, place), and the engines that can run them.",
    )
    .helpOption("-h, --help", "print this help")
    .action(async () => {
      for (const { name, kind, bytes, path } of listModels()) {
        io.stdout.write(`${name}\t${kind}\t${formatSize(bytes)}\t${path}\n`);
      }
      for (const { name, isDefault, about } of await listEngines()) {
        io.stdout.write(`${name}\tengine\t${isDefault ? "used" : "not used"}\t${about}\n`);
      }
      finish(EXIT.done);
    });
}

function formatSize(bytes: number): string {
  return bytes < 1e5 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** `thresher models`: which models are here, and what they reach. */
import type { Command } from "commander";
import { listModels } from "../label/model.js";
import { EXIT } from "../outcome.js";
import type { Io } from "./io.js";

export function addModelsCommand(program: Command, io: Io, finish: (code: number) => void): Command {
  return program
    .command("models")
    .description("list the models that ship with this version")
    .action(() => {
      for (const { name, kind, bytes, path } of listModels()) {
        io.stdout.write(`${name}\t${kind}\t${(bytes / 1e6).toFixed(1)} MB\t${path}\n`);
      }
      finish(EXIT.done);
    });
}

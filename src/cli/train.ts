/** Defines `thresher train GOLD… -o MODEL`, which fits a shipped labeller to the user's own notion of main content. */
import { Option, type Command } from "commander";
import type { GoldRecord } from "../acquire/records/gold.js";
import { tellCount } from "../count.js";
import { EXIT, UsageError } from "../outcome.js";
import { STEPS, type Step } from "../train/fit/design.js";
import { hasPaths, kindOf, type TrainKind } from "../train/gold-examples.js";
import type { GoldFile } from "../train/model-readme.js";
import { nameOfPython } from "../train/python.js";
import type { Trained } from "../train/train-model.js";
import { VERSION } from "../version.js";
import { readGoldInputs } from "./gold-inputs.js";
import { createSay, type Io } from "./io.js";
import { parseSeed, parseWord } from "./options/parse-option.js";

const NOTES = `
Each line of GOLD is a JSON object with "lines", an array of {"text", "label"}: 1 or "content", 0 or "boilerplate",
null if it is unknown. Lines with "path" (and "block", "linkChars", "breakBefore", as in the records of --to jsonl)
train the labeller of pages, other lines train that of plain text. "url" keeps the documents of one host together.
Files may be gzipped.

With 10 documents or more (better 20), the scores are calibrated again, and the cuts of plain text are chosen again.
With 60 or more, a small correction of the network is also tried. With 200 or more, so is the whole network, if
--python names a Python with PyTorch. Held-out documents decide between these steps. A model that is not better on
them is not written, and the command exits with 1.

Example:
  thresher train gold.jsonl -o my-model
  thresher --model my-model page.html
`;

interface TrainFlags {
  readonly output: string;
  readonly kind?: TrainKind;
  readonly step?: Step;
  readonly model?: string;
  readonly name?: string;
  readonly seed: number;
  readonly force?: boolean;
  readonly python: string;
}

export function addTrainCommand(program: Command, io: Io, finish: (code: number) => void): Command {
  return program
    .command("train")
    .summary("train a labeller for your own definition of main content, from lines that you labelled")
    .description(
      "Fits a shipped labeller to annotated lines, measures it on documents that were left out, and writes a model folder.",
    )
    .usage("GOLD… -o MODEL")
    .argument("<gold...>", "JSONL files of annotated documents, or - for stdin")
    .requiredOption("-o, --output <dir>", "the folder of the model; it must not be there yet", parseWord)
    .addOption(
      new Option("--kind <labeller>", "the labeller to train (page if lines have paths, else text)").choices([
        "page",
        "text",
      ]),
    )
    .addOption(
      new Option("--step <step>", "how much to train (the best on held-out documents)").choices(STEPS),
    )
    .option("--model <dir>", "train another model than the shipped one")
    .option("--name <name>", "the name of the model (the name of its folder)")
    .option("--python <program>", "the Python with PyTorch that trains a whole network", nameOfPython())
    .option("--seed <n>", "the seed of the folds and intervals", parseSeed, 1)
    .option("--force", "write the model even if it is not better")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", NOTES)
    .action(async (gold: string[], flags: TrainFlags) => {
      finish(await train(gold, flags, io));
    });
}

async function train(gold: readonly string[], flags: TrainFlags, io: Io): Promise<number> {
  // Loaded here, so that no other command waits for the training code.
  const [{ trainModel }, { checkFree, nameModel }] = await Promise.all([
    import("../train/train-model.js"),
    import("../train/model-files.js"),
  ]);
  const tell = createSay(io);
  const name = nameModel(flags.output, flags.name);
  await checkFree(flags.output);
  const all: GoldRecord[] = [];
  const files: GoldFile[] = [];
  for await (const record of readGoldInputs(gold, io, (file) => files.push(file))) all.push(record);
  const kind = chooseKind(all, flags.kind);
  const records = kind === "page" ? all.filter(hasPaths) : all;
  if (records.length < all.length)
    tell(`${tellCount(all.length - records.length, "document")} without paths left out`);
  const { seed, step, model, python } = flags;
  const trained = await trainModel(records, {
    ...{ kind, seed, tell, python, signal: io.signal },
    ...(step && { step }),
    ...(model !== undefined && { modelDir: model }),
  });
  try {
    return await settle(trained, { files, records, flags, name, io });
  } finally {
    await trained.remove();
  }
}

interface Settling {
  readonly files: readonly GoldFile[];
  readonly records: readonly GoldRecord[];
  readonly flags: TrainFlags;
  readonly name: string;
  readonly io: Io;
}

/** Reports the gain, and writes the model if the gain is large enough. */
async function settle(trained: Trained, { files, records, flags, name, io }: Settling): Promise<number> {
  const [{ writeModel }, { showFigures }] = await Promise.all([
    import("../train/model-files.js"),
    import("../train/show-figures.js"),
  ]);
  const tell = createSay(io);
  tell(describeStep(trained));
  io.stderr.write(`\n${showFigures(trained.comparison)}\n`);
  if (trained.worse !== undefined && flags.force !== true) {
    tell(
      `no model was written: ${trained.worse}. Gold from more hosts helps; --force writes the model anyway`,
    );
    return EXIT.nothing;
  }
  const date = new Date().toISOString().slice(0, 10);
  const options = optionsOf(flags);
  await writeModel(trained, records, { path: flags.output, name, date, files, options, version: VERSION });
  if (trained.worse !== undefined) tell(`written with --force, although ${trained.worse}`);
  tell(`${flags.output} holds the model; use it with --model ${flags.output}`);
  return EXIT.done;
}

function describeStep({ tried, step, base, data }: Trained): string {
  const gains = tried.map((one) => {
    const { value } = one.comparison.difference.macroF1;
    return `${one.step} ${value < 0 ? "-" : "+"}${Math.abs(value).toFixed(3)}`;
  });
  return `step ${step}; macro F1 of held-out documents (${data.documents}) against ${base.name}: ${gains.join(", ")}`;
}

function chooseKind(records: readonly GoldRecord[], said: TrainKind | undefined): TrainKind {
  if (said !== undefined) return said;
  const kind = kindOf(records);
  if (kind === "both") {
    const pages = records.filter(hasPaths).length;
    throw new UsageError(
      `pages: ${pages}, plain texts: ${records.length - pages}; each kind has its own labeller, so choose one with --kind`,
    );
  }
  if (kind === undefined) throw new UsageError("there is no document in the gold");
  return kind;
}

function optionsOf({ kind, step, model, seed, force }: TrainFlags): string[] {
  return [
    ...(kind === undefined ? [] : [`--kind ${kind}`]),
    ...(step === undefined ? [] : [`--step ${step}`]),
    ...(model === undefined ? [] : [`--model ${model}`]),
    `--seed ${seed}`,
    ...(force === true ? ["--force"] : []),
  ];
}

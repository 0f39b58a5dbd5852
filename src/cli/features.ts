/** Defines `thresher features GOLD… -o DIR`, which writes annotated lines as numeric features for the trainer. */
import { Option, type Command } from "commander";
import type { GoldRecord } from "../acquire/records/gold.js";
import { tellCount } from "../count.js";
import { exportFeatures, type FeatureKind } from "../label/features/export.js";
import { readVocabulary, type Vocabulary } from "../label/features/pieces/vocabulary.js";
import { readGoldInputs } from "./gold-inputs.js";
import { EXIT, UsageError } from "../outcome.js";
import { makeFolder } from "../write/files/place.js";
import { createSay, readWhole, type Io } from "./io.js";
import { messageOf } from "../thrown.js";
import { parseWord } from "./options/parse-option.js";
import { cannotWrite } from "../write-error.js";

const NOTES = `
Each line of GOLD is a JSON object with "lines", an array of {"text", "label"}: 1 or "content", 0 or "boilerplate",
null if unknown. Lines may also state their place in a page: "block", "path", "linkChars" and "breakBefore", as in the
records of --to jsonl, and the object may have "title" (or "statedTitle") and "pageType". "id", "lang" and "source"
are copied to documents.jsonl. Files may be gzipped. DIR receives features.f32, labels.u8, the bucket numbers of the
n-grams, documents.jsonl, columns.json and, for pages, groups.i32; models/train/README.md describes them.

Example:
  thresher features gold/train.jsonl.gz -o work/train
`;

interface FeaturesOptions {
  readonly output: string;
  readonly kind: FeatureKind;
  readonly pieces?: string;
}

export function addFeaturesCommand(program: Command, io: Io, finish: (code: number) => void): Command {
  return program
    .command("features")
    .summary("annotated lines in, feature files for the trainer out")
    .description(
      "Writes the features of annotated lines, computed as the labeller computes them, for models/train/.",
    )
    .usage("GOLD… -o DIR")
    .argument("<gold...>", "JSONL files of annotated documents, or - for stdin")
    .requiredOption(
      "-o, --output <dir>",
      "where the feature files go; files of the same names are replaced",
      parseWord,
    )
    .addOption(
      new Option("--kind <labeller>", "whose features: page adds features of a line's place in its page")
        .choices(["text", "page"])
        .default("text"),
    )
    .option(
      "--pieces <file>",
      "also cut each line into the word pieces of this vocabulary (pieces.bin of a model)",
    )
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", NOTES)
    .action(async (gold: string[], { output, kind, pieces }: FeaturesOptions) => {
      const vocabulary = pieces === undefined ? undefined : await openVocabulary(pieces, io);
      const { documents, lines } = await exportGold(readGoldInputs(gold, io), output, kind, vocabulary);
      createSay(io)(`${tellCount(documents, "document")}, ${tellCount(lines, "line")}`);
      finish(documents === 0 ? EXIT.nothing : EXIT.done);
    });
}

async function exportGold(
  gold: AsyncIterable<GoldRecord>,
  output: string,
  kind: FeatureKind,
  vocabulary: Vocabulary | undefined,
): Promise<{ documents: number; lines: number }> {
  try {
    await makeFolder(output);
    return await exportFeatures(gold, output, kind, vocabulary);
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    throw cannotWrite(`features to ${output}`, cause);
  }
}

async function openVocabulary(path: string, { signal }: Io): Promise<Vocabulary> {
  try {
    return readVocabulary(await readWhole(path, signal));
  } catch (cause) {
    signal.throwIfAborted();
    throw new UsageError(`cannot read the pieces in ${path}: ${messageOf(cause)}`, {
      cause,
    });
  }
}

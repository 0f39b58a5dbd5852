/** Opens the labellers that a run may ask, each when the first document needs it. */
import type { PageFormat } from "../document.js";
import { UsageError } from "../outcome.js";
import type { Labeller, LabellerOptions } from "./labeller.js";
import { readModelCard } from "./network/model-card.js";
import { DEFAULT_REGISTERS_MODEL } from "./network/shipped-models.js";
import { openRegisterJudge, type RegisterJudge } from "./registers/register-judge.js";
import { LABELLER_NAMES, labellers, type LabellerName } from "./registry.js";

export interface ChoiceOptions extends LabellerOptions {
  /** Labels everything. When absent, each document goes to the labeller that is made for what it is. */
  readonly labeller?: LabellerName;
  /** Whether some lines are judged by their text alone, whatever labels the document. */
  readonly mayAskText: boolean;
  /** Whether the kind of each text is told. */
  readonly registers?: boolean;
}

export interface LabellerChoice {
  /** The labellers that may be asked, each with its model: the same names mean the same labels. */
  readonly names: readonly string[];
  of(source: PageFormat): Promise<Labeller>;
  /** The one that judges a line by its text. */
  ofText(): Promise<Labeller>;
  /** What tells the kind of a text; absent where that is not asked for. */
  readonly registers?: () => Promise<RegisterJudge>;
  close(): Promise<void>;
}

/** The labeller of each kind of document, where no other one is named. */
const MADE_FOR: Readonly<Record<PageFormat, LabellerName>> = { html: "page", text: "text" };

/**
 * Throws UsageError when a model is named that cannot be used: that one is loaded at once, and goes to the labeller of
 * its kind. The shipped models wait until they are needed.
 */
export async function openChoice(options: ChoiceOptions): Promise<LabellerChoice> {
  const { labeller, mayAskText } = options;
  const modelDir = await findFolder(options.modelDir);
  const asked = new Set<LabellerName>(labeller === undefined ? Object.values(MADE_FOR) : [labeller]);
  if (mayAskText) asked.add("text");
  const owner = modelDir === undefined ? undefined : findOwner(modelDir, asked);
  const folderOf = (name: LabellerName): string | undefined =>
    name === owner ? modelDir : labellers[name].modelDir;

  const opened = new Map<LabellerName, Promise<Labeller>>();
  const open = (name: LabellerName): Promise<Labeller> => {
    const known = opened.get(name);
    if (known !== undefined) return known;
    const folder = folderOf(name);
    const made = labellers[name].create(withFolder(options, folder));
    made.catch(() => undefined); // the caller that asks for it is told
    opened.set(name, made);
    return made;
  };
  const names: string[] = LABELLER_NAMES.filter((name) => asked.has(name)).map((name) => {
    const folder = folderOf(name);
    if (folder === undefined) return name;
    const card = readModelCard(folder);
    return `${name}=${card.name}@${card.digest}`;
  });
  let judge: Promise<RegisterJudge> | undefined;
  const openJudge = (): Promise<RegisterJudge> => {
    judge ??= openRegisterJudge();
    judge.catch(() => undefined); // the caller that asks for it is told
    return judge;
  };
  if (options.registers === true) {
    const card = readModelCard(DEFAULT_REGISTERS_MODEL);
    names.push(`registers=${card.name}@${card.digest}`);
  }
  if (owner !== undefined) await open(owner);
  // One that comes without a model says at once that it needs one.
  else if (labeller !== undefined && labellers[labeller].needs?.model === true) await open(labeller);
  return {
    names,
    of: (source) => open(labeller ?? MADE_FOR[source]),
    ofText: () => open("text"),
    ...(options.registers === true && { registers: openJudge }),
    async close() {
      await judge?.then((opened) => opened.close()).catch(() => undefined);
      for (const made of await Promise.allSettled(opened.values()))
        if (made.status === "fulfilled") await made.value.close();
    },
  };
}

function withFolder(options: LabellerOptions, modelDir: string | undefined): LabellerOptions {
  const { focus, cut, condition, pages } = options;
  return {
    focus,
    ...(condition === undefined ? {} : { condition }),
    ...(pages === undefined ? {} : { pages }),
    ...(cut === undefined ? {} : { cut }),
    ...(modelDir === undefined ? {} : { modelDir }),
  };
}

/** The folder of a model that is given by its path, or by a name that some labeller knows. */
async function findFolder(model: string | undefined): Promise<string | undefined> {
  let folder = model;
  for (const { locate } of Object.values(labellers))
    if (folder !== undefined && locate !== undefined) folder = await locate(folder);
  return folder;
}

/** A model is for the labeller that its kind names. */
function findOwner(modelDir: string, asked: ReadonlySet<LabellerName>): LabellerName {
  const { kind } = readModelCard(modelDir);
  const owner = [...asked].find((name) => name === kind);
  if (owner === undefined)
    throw new UsageError(
      `the model in ${modelDir} cannot be used: its kind is "${kind}", and here labels ${[...asked].join(" or ")}`,
    );
  return owner;
}

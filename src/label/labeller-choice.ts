/** Opens the labellers that a run may use, each when the first document needs it. */
import type { PageFormat } from "../document.js";
import type { Labeller } from "./labeller.js";
import { LABELLER_NAMES, labellerNeeds, type LabellerName } from "./names.js";
import type { RegisterJudge } from "./registers/register-judge.js";

export interface Asked {
  /** Labels all documents. When absent, each document goes to the labeller for its format. */
  readonly labeller?: LabellerName;
  /** Whether the run may also judge some lines by their text alone, with the labeller `text`. */
  readonly mayAskText: boolean;
  /** Whether the run also scores the registers of each text. */
  readonly registers?: boolean;
}

export interface LabellerChoice {
  /** The labellers that the run may use, each with its model. The same names mean the same labels. */
  readonly names: readonly string[];
  of(source: PageFormat): Promise<Labeller>;
  /** Opens the labeller that judges lines by their text. */
  ofText(): Promise<Labeller>;
  /** Describes the engine that runs the networks, for messages; undefined when no labeller has a network. */
  engine(): Promise<string | undefined>;
  /** Opens the register judge; absent when the run does not score registers. */
  readonly registers?: () => Promise<RegisterJudge>;
  close(): Promise<void>;
}

/** A labeller that can be opened. */
export interface OfferedLabeller {
  /** NAME@DIGEST of its model; absent when it has no model. */
  readonly model?: string;
  create(): Promise<Labeller>;
}

/** The default labeller for each format. */
const MADE_FOR: Readonly<Record<PageFormat, LabellerName>> = { html: "page", text: "text" };

/** Lists the labellers that a run may use. */
export function listAsked({ labeller, mayAskText }: Asked): ReadonlySet<LabellerName> {
  const asked = new Set<LabellerName>(labeller === undefined ? Object.values(MADE_FOR) : [labeller]);
  if (mayAskText) asked.add("text");
  return asked;
}

/** Checks whether any labeller that a run may use needs an engine for its network. */
export function needsEngine(asked: Asked): boolean {
  return [...listAsked(asked)].some((name) => labellerNeeds[name].engine === true);
}

/** Prepares the labellers of a run. Calls `offer` once for each labeller that the run may use. */
export function chooseLabellers(
  asked: Asked,
  offer: (name: LabellerName) => OfferedLabeller,
  engine: () => Promise<string>,
): LabellerChoice & { open(name: LabellerName): Promise<Labeller> } {
  const all = listAsked(asked);
  const offered = new Map(LABELLER_NAMES.filter((name) => all.has(name)).map((name) => [name, offer(name)]));
  const opened = new Map<LabellerName, Promise<Labeller>>();
  const open = (name: LabellerName): Promise<Labeller> => {
    const known = opened.get(name);
    if (known !== undefined) return known;
    const made = (offered.get(name) ?? offer(name)).create();
    made.catch(() => undefined); // the caller of `open` gets the error
    opened.set(name, made);
    return made;
  };
  return {
    names: [...offered].map(([name, { model }]) => (model === undefined ? name : `${name}=${model}`)),
    open,
    of: (source) => open(asked.labeller ?? MADE_FOR[source]),
    ofText: () => open("text"),
    engine: async () => (needsEngine(asked) ? engine() : undefined),
    async close() {
      for (const made of await Promise.allSettled(opened.values()))
        if (made.status === "fulfilled") await made.value.close();
    },
  };
}

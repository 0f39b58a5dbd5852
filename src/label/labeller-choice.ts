/** Opens the labellers that a run may ask, each when the first document needs it. */
import type { PageFormat } from "../document.js";
import type { Labeller } from "./labeller.js";
import { LABELLER_NAMES, labellerNeeds, type LabellerName } from "./names.js";
import type { RegisterJudge } from "./registers/register-judge.js";

export interface Asked {
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
  /** What runs the networks of these labellers, for people; nothing where none of them has one. */
  engine(): Promise<string | undefined>;
  /** What tells the kind of a text; absent where that is not asked for. */
  readonly registers?: () => Promise<RegisterJudge>;
  close(): Promise<void>;
}

/** A labeller that can be opened. */
export interface OfferedLabeller {
  /** NAME@DIGEST of its model; absent where it has none. */
  readonly model?: string;
  create(): Promise<Labeller>;
}

/** The labeller of each kind of document, where no other one is named. */
const MADE_FOR: Readonly<Record<PageFormat, LabellerName>> = { html: "page", text: "text" };

/** The labellers that may be asked. */
export function listAsked({ labeller, mayAskText }: Asked): ReadonlySet<LabellerName> {
  const asked = new Set<LabellerName>(labeller === undefined ? Object.values(MADE_FOR) : [labeller]);
  if (mayAskText) asked.add("text");
  return asked;
}

/** Whether an engine runs the network of any labeller that may be asked. */
export function needsEngine(asked: Asked): boolean {
  return [...listAsked(asked)].some((name) => labellerNeeds[name].engine === true);
}

/** `offer` is asked once for each labeller that a run may ask. */
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
    made.catch(() => undefined); // the caller that asks for it is told
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

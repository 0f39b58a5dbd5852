/**
 * Measures the cost of each stage of the page path by timing steps, each of which does all work of the previous step
 * plus one stage.
 */
import { PerformanceObserver } from "node:perf_hooks";
import { createThresher } from "thresher";
import { loadInternals, type Internals, type Read, type ReadDocument } from "./internals.js";
import { medianOf } from "../../metrics/median.js";
import { timeCpu } from "./cpu-time.js";

/** The stages in order. The cost of a stage is the difference between its step and the previous one. */
export const STAGES = [
  "decode bytes",
  "parse",
  "lines",
  "metadata",
  "places and paths",
  "text columns",
  "bags",
  "network",
  "labels",
  "pipeline and record",
] as const;

export type Stage = (typeof STAGES)[number];

export interface PageProfile {
  readonly pages: number;
  readonly lines: number;
  /** CPU milliseconds per page: the mean over pages of the median over rounds. The stages add up to `all`. */
  readonly stages: Readonly<Record<Stage, number>>;
  readonly all: number;
  /** Milliseconds of garbage collection per page while whole pages were cleaned; it is part of all stages. */
  readonly gc: number;
  /** CPU milliseconds per page in the first round of a fresh process, without loading. */
  readonly first: number;
}

export interface ProfileOptions {
  /** The number of rounds over all pages that count; warm-up rounds come before them. */
  readonly rounds?: number;
  /** The folder of another model of the same kind. */
  readonly modelDir?: string;
  readonly signal?: AbortSignal;
  readonly onRound?: (done: number, of: number) => void;
}

const ROUNDS = 5;
const WARM_UP = 3;

interface RawPage {
  readonly id: string;
  readonly bytes: Uint8Array;
}

type Step = (page: RawPage) => unknown;

/**
 * Runs all stages in turn on each page, with another stage first each time, so that other load on the machine affects
 * all stages alike. Throws Error if there are no pages.
 */
export async function profilePages(
  pages: readonly RawPage[],
  { rounds = ROUNDS, modelDir, signal, onRound }: ProfileOptions = {},
): Promise<PageProfile> {
  if (pages.length === 0) throw new Error("there is no page to measure");
  const { steps, close, count } = await openSteps(await loadInternals(), modelDir);
  const collected = watchGarbage();
  const times = STAGES.map(() => pages.map(() => [] as number[]));
  let first = 0;
  let gc = 0;
  try {
    for (let round = -WARM_UP; round < rounds; round += 1) {
      for (const [at, page] of pages.entries()) {
        signal?.throwIfAborted();
        for (const [turn] of steps.entries()) {
          const stage = (turn + at) % steps.length;
          const ms = await timeCpu(() => steps[stage]?.(page));
          if (round >= 0) times[stage]?.[at]?.push(ms);
          if (round === -WARM_UP && stage === steps.length - 1) first += ms;
        }
      }
      onRound?.(round + WARM_UP + 1, rounds + WARM_UP);
    }
    // In turn, stages collect each other's garbage, so it is measured while only whole pages are cleaned.
    collected.take();
    for (const page of pages) await steps.at(-1)?.(page);
    await new Promise((resolve) => setTimeout(resolve, 20));
    gc = collected.take();
  } finally {
    collected.close();
    await close();
  }
  const totals = times.map((byPage) => byPage.reduce((sum, values) => sum + medianOf(values), 0));
  const perPage = totals.map((total) => total / pages.length);
  const costs = STAGES.map((name, at) => [name, (perPage[at] ?? 0) - (perPage[at - 1] ?? 0)] as const);
  return {
    pages: pages.length,
    lines: pages.reduce((sum, page) => sum + count(page), 0),
    // Object.fromEntries loses the names, which are all there.
    stages: Object.fromEntries(costs) as Record<Stage, number>,
    all: perPage.at(-1) ?? 0,
    gc: gc / pages.length,
    first: first / pages.length,
  };
}

function watchGarbage(): { readonly take: () => number; readonly close: () => void } {
  let ms = 0;
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) ms += duration;
  });
  observer.observe({ entryTypes: ["gc"] });
  return {
    take: () => {
      const taken = ms;
      ms = 0;
      return taken;
    },
    close: () => {
      observer.disconnect();
    },
  };
}

async function openSteps(
  inside: Internals,
  modelDir: string | undefined,
): Promise<{
  readonly steps: readonly Step[];
  readonly close: () => Promise<void>;
  readonly count: (page: RawPage) => number;
}> {
  const model = inside.loadPageModel(modelDir);
  const session = await inside.openModel(model.network, modelDir ?? "", await inside.chooseEngine());
  const own = modelDir === undefined ? {} : { modelDir };
  const labeller = await inside.createPageLabeller({ focus: "balanced", ...own });
  // One worker, because the CPU time of other processes is not measured here.
  const thresher = await createThresher({ ...own, metadata: "brief", workers: 1 });
  const bare = inside.createPageExtractor({ leftOut: "drop", metadata: "skip" });
  const brief = inside.createPageExtractor({ leftOut: "drop", metadata: "brief" });
  const workspace = inside.createWorkspace();
  const nowhere = { bags: 0, begin: () => undefined, take: () => undefined };

  const decode = ({ bytes }: RawPage): string => inside.decodePage(bytes).text;
  const parse = (page: RawPage): object =>
    inside.parseQuickly({ id: page.id, url: "", html: decode(page), notes: [] });
  const read = (page: RawPage, extractor: { extract(tree: object): Read }): ReadDocument | undefined => {
    const outcome = extractor.extract(parse(page));
    return outcome.ok ? outcome.value : undefined;
  };
  const place = (document: ReadDocument): { readonly places: object; readonly paths: object } => {
    const lines = document.lines.filter(({ text }) => /\S/.test(text));
    const title = document.statedTitle ?? document.meta.title ?? "";
    const tree = lines.length === document.lines.length ? document.paths : undefined;
    const places = inside.createPlaces(lines, title, tree);
    return { places, paths: inside.createPaths(places) };
  };
  /** Does everything up to the features of all windows, and passes each window to `take`. */
  const describe = async (
    page: RawPage,
    pooled: boolean,
    take?: (input: object) => Promise<unknown>,
  ): Promise<void> => {
    const document = read(page, brief);
    if (document === undefined) return;
    const { places, paths } = place(document);
    const texts = document.lines.map(({ text }) => text).filter((text) => /\S/.test(text));
    const pool = pooled ? inside.createPagePool(model, paths, workspace.bagValues) : undefined;
    const groups = take !== undefined && session.takesGroups ? inside.createLineGroups(places) : undefined;
    for (const { rows, start, hand } of inside.featureWindows(
      texts,
      workspace,
      pool ?? nowhere,
      model.window,
      places,
    )) {
      const bags = pool?.values();
      await take?.({ rows, hand, bags, ...(groups && { groups: groups(start, rows) }) });
    }
  };
  const steps: readonly Step[] = [
    decode,
    parse,
    (page) => read(page, bare),
    (page) => read(page, brief),
    (page) => {
      const document = read(page, brief);
      return document && place(document);
    },
    (page) => describe(page, false),
    (page) => describe(page, true),
    (page) => describe(page, true, (input) => session.run(input)),
    (page) => {
      const document = read(page, brief);
      return document && labeller.label([document], { paths: [document.paths] });
    },
    ({ bytes }) => thresher.clean({ bytes }),
  ];
  return {
    steps,
    count: (page) => read(page, bare)?.lines.length ?? 0,
    close: async () => {
      await session.close();
      await labeller.close();
      await thresher.close();
    },
  };
}

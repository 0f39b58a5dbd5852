/** Runs `thresher crawl`: opens the crawl and its folder, cleans and writes the events, and reports the figures. */
import { join, resolve } from "node:path";
import { tellCount } from "../../count.js";
import { cleanEvents } from "../../crawl/clean-events.js";
import { openCrawl } from "../../crawl/crawl.js";
import type { Crawl } from "../../crawl/types.js";
import { UsageError } from "../../outcome.js";
import { createPipeline, type Pipeline } from "../../pipeline.js";
import { countOutcome } from "../report/run-figures.js";
import { VERSION } from "../../version.js";
import { TABLE_NAME } from "../../write/tables/flat-table.js";
import { checkPlaces, checkSideFiles } from "../run/check-places.js";
import { judgeRun } from "../clean.js";
import { toOutputOptions, toPipelineOptions, toReportOptions } from "../options/clean-flags.js";
import { findUnheard, watchFlags, type FlagWatch } from "../options/unheard-flags.js";
import { AMONG_RECORDS } from "../run/rejects.js";
import { findUnheardOfCrawl, toCrawlOptions, type CrawlFlags } from "./crawl-flags.js";
import { openCrawlFolder, type CrawlFolder, type OpenFolder } from "./crawl-folder.js";
import { isCrawl } from "./crawl-saved.js";
import { followCrawl, tellCrawlEnd, tellCrawlProgress, toCrawlStats, writeOutcomes } from "./crawl-report.js";
import { findSeeds, openBadSeeds, printPlan, type Seeds } from "./crawl-seeds.js";
import type { Io } from "../io.js";
import { createReport, type Report } from "../report/run-report.js";
import { digestJob } from "../run/resume.js";
import { writeStats } from "../report/run-stats.js";
import { writers } from "../../write/registry.js";

/** Returns the exit code. */
export async function runCrawl(named: readonly string[], flags: CrawlFlags, io: Io): Promise<number> {
  const { output: dir } = flags;
  if (dir === undefined && flags.dryRun !== true)
    throw new UsageError("give a folder for the crawl with -o DIR (--help shows examples)");
  if (dir === "-") throw new UsageError("a crawl writes into a folder, not to stdout: give one with -o DIR");
  if (flags.to !== undefined && writers[flags.to].pack !== undefined && !flags.warc)
    throw new UsageError(
      `--to ${flags.to} needs the archive to resume after a break: leave out --no-warc, or choose jsonl`,
    );
  checkOutcomes(flags.outcomes);
  const { outcomes, stats, log } = flags;
  // `findPlaces` refuses rejects among the records.
  const rejects = flags.rejects === AMONG_RECORDS ? undefined : flags.rejects;
  await checkPlaces({ rejects, outcomes, stats, log }, [...(flags.seeds ?? []), ...named], io.signal);
  const report = createReport(toReportOptions(flags), io);
  const say = (sentence: string): void => {
    report.say(sentence);
  };
  for (const sentence of findUnheard({ ...flags, stats: stats ?? "stats.json" })) say(sentence);
  for (const sentence of findUnheardOfCrawl(flags)) say(sentence);
  const crawlOptions = toCrawlOptions(flags, resolve(dir ?? "."));
  const isGoingOn = await isCrawl(crawlOptions.dir);
  const seeds = findSeeds(named, flags, { io, isGoingOn });
  if (flags.fresh === true && seeds.isEmpty)
    throw new UsageError(`--fresh starts over, but there are ${NO_SEEDS}`);
  if (flags.dryRun === true) return printPlan({ crawl: crawlOptions, seeds, say, io });
  await checkSideFiles(flags, io.signal);
  const pipeline = await createPipeline(toPipelineOptions(flags));
  try {
    const places = findPlaces(crawlOptions.dir, flags);
    const folder = await openCrawlFolder({
      ...{ dir: crawlOptions.dir, format: flags.to ?? "jsonl", rejectsAt: places.rejects },
      job: digestFlags(places, flags, pipeline.shape),
      isFresh: flags.fresh === true,
      saveEveryMs: flags.saveEvery,
      io,
    });
    try {
      const crawl = await openCrawl(crawlOptions);
      try {
        return await run(
          { crawl, folder, places, pipeline, flags, watch: watchFlags(flags), report, io },
          seeds,
        );
      } finally {
        await crawl.close();
      }
    } finally {
      await folder.close();
    }
  } finally {
    await pipeline.close();
  }
}

/** Throws UsageError for a file name that does not end like a table, because it would promise another format. */
function checkOutcomes(path: string | undefined): void {
  if (path === undefined || path.startsWith("/dev/") || TABLE_NAME.test(path)) return;
  throw new UsageError(
    `--outcomes is a table: give a file that ends with .jsonl, .csv or .parquet, not ${path}`,
  );
}

/** Paths of the files that a crawl writes besides its documents. */
type Places = Readonly<Record<"rejects" | "outcomes" | "stats" | "badSeeds", string>>;

function findPlaces(dir: string, { rejects, outcomes, stats, log }: CrawlFlags): Places {
  if (rejects === AMONG_RECORDS)
    throw new UsageError("a crawl writes no records to stdout: --rejects needs a file");
  const places = {
    rejects: resolve(rejects ?? join(dir, "rejects.jsonl")),
    outcomes: resolve(outcomes ?? join(dir, "outcomes.jsonl")),
    stats: resolve(stats ?? join(dir, "stats.json")),
    badSeeds: join(dir, "bad-seeds.jsonl"),
  };
  const all = [...Object.values(places), ...(log === undefined ? [] : [resolve(log)])];
  const twice = all.find((path, at) => all.indexOf(path) !== at && !path.startsWith("/dev/"));
  if (twice !== undefined) throw new UsageError(`two options write to the same file ${twice}`);
  return places;
}

/**
 * Digest of everything that shapes the documents, and of where they go. A larger size limit only lets in more pages, so
 * the crawl continues with the same digest.
 */
function digestFlags({ rejects }: Places, flags: CrawlFlags, shape: string): string {
  const { to, keepBoilerplate, lines, links, formatted, images, frontMatter, spans, metadata } = flags;
  const written = { keepBoilerplate, lines, links, formatted, images, frontMatter, spans, metadata };
  return digestJob({ fingerprint: shape, to, rejects, ...written });
}

interface Run {
  readonly crawl: Crawl;
  readonly folder: CrawlFolder;
  readonly places: Places;
  readonly pipeline: Pipeline;
  readonly flags: CrawlFlags;
  readonly watch: FlagWatch;
  readonly report: Report;
  readonly io: Io;
}

async function run(all: Run, seeds: Seeds): Promise<number> {
  const { crawl, folder, places, pipeline, flags, report, io } = all;
  const { saved, figures } = folder;
  if (saved !== undefined) await crawl.confirm(saved.number, saved.untold);
  const added = await addSeeds(all, seeds);
  checkSeeds(crawl);
  if (flags.recrawl === true && crawl.figures().queued > added)
    report.say(
      "the earlier run is not complete, so it continues; give --recrawl again after that to request all URLs again",
    );
  const startedAt = performance.now();
  const ownSeconds = (): number => Math.max(0.001, (performance.now() - startedAt) / 1000);
  const seconds = (): number => (saved?.seconds ?? 0) + ownSeconds();
  report.begin(figures, {
    bytesRead: () => crawl.figures().bytes,
    bytesInAll: () => undefined,
    tell: (passed) => tellCrawlProgress(crawl.figures(), passed),
  });
  const output = { ...toOutputOptions(flags, pipeline.fingerprint) };
  const open = await folder.open(output, (through, rejects) => crawl.confirm(through, rejects));
  const stopFollowing = followCrawl(report);
  try {
    await clean(all, open, seconds);
    await open.finish(seconds());
  } catch (error) {
    await open.leave();
    throw error;
  } finally {
    stopFollowing();
  }
  await writeOutcomes(places.outcomes, crawl.outcomes());
  const facts = { passedOver: {}, seconds: seconds(), bytesRead: crawl.figures().bytes };
  await writeStats({ path: places.stats, signal: io.signal }, figures, {
    ...{ ...facts, version: VERSION, fingerprint: pipeline.fingerprint, workers: flags.jobs },
    engine: await pipeline.engine(),
    isResumed: saved !== undefined,
    crawl: toCrawlStats(crawl.figures()),
  });
  // An earlier run may have fetched documents that the flags affected.
  if (saved === undefined) for (const sentence of all.watch.list()) report.say(sentence);
  report.say(tellCrawlEnd(crawl.figures(), ownSeconds()));
  report.end({ ...facts, hasRejectsFile: true });
  return judgeRun(figures);
}

/** Adds the seeds, and returns how many are new. Known seeds keep their state, so the same command continues the crawl. */
async function addSeeds({ crawl, places, report }: Run, seeds: Seeds): Promise<number> {
  if (seeds.isEmpty) return 0;
  const say = (sentence: string): void => {
    report.say(sentence);
  };
  const bad = openBadSeeds(places.badSeeds, say);
  const { added, known, refused } = await crawl
    .add(seeds.read((reject) => bad.add(reject)))
    .catch(async (error: unknown) => {
      await bad.discard();
      throw error;
    });
  await bad.close();
  const counts = [tellCount(added, "new seed")];
  if (known > 0) counts.push(`${known} known`);
  if (refused > 0) counts.push(`${refused} that cannot be fetched`);
  say(counts.join(", "));
  return added;
}

const NO_SEEDS = "no seeds; give URLs, --seeds FILE, --sitemap URL or --feed URL (--help shows examples)";

/** Throws UsageError if the crawl knows no URL, because then it can do nothing. */
function checkSeeds(crawl: Crawl): void {
  const { results } = crawl.figures();
  if (Object.values(results).some((count) => count > 0)) return;
  throw new UsageError(NO_SEEDS);
}

/** Writes all events to their files, and counts them. */
async function clean(
  { crawl, folder, pipeline, watch, report, io }: Run,
  open: OpenFolder,
  seconds: () => number,
): Promise<void> {
  const events = cleanEvents(crawl, pipeline, { recall: open.recall(), signal: io.signal });
  for await (const event of events) {
    const { number, outcome, account } = event;
    await open.write(event);
    countOutcome(folder.figures, outcome, account);
    watch.look(outcome);
    if (outcome.ok) report.accept(outcome.value);
    else report.reject(outcome);
    await open.reach(number, seconds());
  }
}

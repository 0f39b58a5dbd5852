/** `thresher crawl SEEDS -o DIR`: polite fetching into an archive and clean text, which goes on after any break. */
import type { Command } from "commander";
import { addCrawlFlags, type CrawlFlags } from "./crawl-flags.js";
import { explainCrawl } from "./crawl-help.js";
import type { Io } from "./io.js";

export function addCrawlCommand(program: Command, io: Io, finish: (code: number) => void): void {
  const command = program
    .command("crawl")
    .summary("URLs, sitemaps and feeds into an archive and clean text")
    .description(
      "Fetches pages politely, keeps them as WARC, and turns them into clean text. Goes on after any break.",
    )
    .usage("[options] SEEDS… -o DIR")
    .argument("[seeds...]", "URLs to begin with; - for a list on stdin");
  addCrawlFlags(command)
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", explainCrawl)
    .action(async (seeds: string[], flags: CrawlFlags) => {
      // Nobody else waits for the libraries of a crawl.
      const { runCrawl } = await import("./crawl-run.js");
      finish(await runCrawl(seeds, flags, io));
    });
}

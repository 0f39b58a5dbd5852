/** Defines `thresher crawl SEEDS -o DIR`, which fetches pages politely into an archive and clean text, and its help. */
import type { Command } from "commander";
import { EXIT_CODES, explainReasons } from "../clean.js";
import { explainFilters } from "../options/option-flags.js";
import type { Io } from "../io.js";
import { writers, type WriterName } from "../../write/registry.js";
import { FILE_EACH, IN_PARTS } from "./crawl-documents.js";
import { addCrawlFlags, type CrawlFlags } from "./crawl-flags.js";

export function addCrawlCommand(program: Command, io: Io, finish: (code: number) => void): void {
  const command = program
    .command("crawl")
    .summary("URLs, sitemaps and feeds into an archive and clean text")
    .description(
      "Fetches pages politely, keeps them as WARC, and turns them into clean text. Resumes after any break.",
    )
    .usage("[options] SEEDS… -o DIR")
    .argument("[seeds...]", "URLs to begin with, or files of them; - for stdin");
  addCrawlFlags(command)
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", explainCrawl)
    .action(async (seeds: string[], flags: CrawlFlags) => {
      // Loaded here, so that other commands do not load the libraries of a crawl.
      const { runCrawl } = await import("./crawl-run.js");
      finish(await runCrawl(seeds, flags, io));
    });
}

function listTitles(formats: readonly WriterName[]): string {
  return formats.map((format) => writers[format].title).join(" and ");
}

const EXAMPLES = `
Examples:
  thresher crawl https://example.org/ -o site --depth 3            a site, three links deep, one request a second
  thresher crawl --seeds urls.txt -o pages --contact me@example.org  a list of URLs, and whom to write to
  thresher crawl --sitemap https://example.org/sitemap.xml -o news --to markdown   what a sitemap names
  thresher crawl --feed https://example.org/feed.xml -o news --recrawl  what is new since the last time
  thresher crawl https://example.org/ -o site --sitemaps --dry-run   what its sitemaps name, and what robots.txt forbids
  cut -f2 hits.tsv | thresher crawl - -o pages --delay 5s --max-pages 10000
  thresher clean site/warc/*.warc.gz -o again.jsonl.gz             clean again with other options, without the network

DIR holds text.jsonl.gz (or what --to says; ${listTitles(FILE_EACH)} get a file each, and ${listTitles(IN_PARTS)} parts, in text/), rejects.jsonl,
outcomes.jsonl (every URL, with what became of it and where its page lies in the archive), stats.json, warc/ (the pages as
they came) and state/. A page in outcomes.jsonl without a reason has a document.

How it treats others: one request at a time to a host, a pause between two, robots.txt (RFC 9309) with its Crawl-delay,
Retry-After where a server asks for it, no cookies. Private and local addresses are refused, also behind a name or a
redirect. Certificates are always checked.

Patterns: "*" is anything but "/", "**" anything. With "://" a pattern fits the whole URL; beginning with "/" the path; with
"/" elsewhere host and path (example.org/blog/); else the host or a part of the path ("*.pdf"). "re:" begins a regular
expression (RE2) that may fit anywhere.

Breaks: after Ctrl-C, kill -9 or a full disk the same command goes on. No page is lost, and none that is finished is fetched
again; so a larger budget or more seeds go on too. What was refused is asked for again where an option has changed why:
--allow-private, --ignore-robots, --user-agent, --max-delay, --max-bytes, --fetch-timeout, --idle-timeout, --proxy, --exclude.
--recrawl asks for all again, and follows links that --depth and the like now allow. Only options that shape the text have to stay as they were.
`;

/** Returns the help text below the options. */
function explainCrawl(): string {
  return `${EXAMPLES}${explainFilters()}${explainReasons()}${EXIT_CODES}`;
}

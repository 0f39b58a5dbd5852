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
  thresher crawl https://example.org/ -o site --depth 3            a site, three links deep, one request per second
  thresher crawl --seeds urls.txt -o pages --contact me@example.org  a list of URLs, with your contact address
  thresher crawl --sitemap https://example.org/sitemap.xml -o news --to markdown   the pages of a sitemap
  thresher crawl --feed https://example.org/feed.xml -o news --recrawl  the entries of a feed; later, new ones
  thresher crawl https://example.org/ -o site --sitemaps --dry-run   list what its sitemaps name and robots.txt forbids
  cut -f2 hits.tsv | thresher crawl - -o pages --delay 5s --max-pages 10000
  thresher clean site/warc/*.warc.gz -o again.jsonl.gz             clean again with other options, without the network

DIR contains text.jsonl.gz (with other formats of --to: one file per page for ${listTitles(FILE_EACH)}, and
several parts for ${listTitles(IN_PARTS)}, in text/), rejects.jsonl, outcomes.jsonl (every URL, its outcome, and
the place of its page in the archive), stats.json, warc/ (the pages as fetched) and state/. A page without a
reason in outcomes.jsonl has a document.

Politeness: one request at a time per host, with a pause between two requests. The crawl obeys robots.txt (RFC 9309)
with its Crawl-delay, waits as long as a Retry-After header asks, and sends no cookies. It refuses private and local
addresses, also behind a host name or a redirect, and always checks certificates.

Patterns: "*" matches any characters except "/", and "**" any characters. A pattern with "://" is compared with the
whole URL, one that begins with "/" with the path, one with "/" elsewhere with host and path (example.org/blog/), and
any other pattern with the host and with each part of the path ("*.pdf"). "re:" begins a regular expression (RE2),
which may match anywhere.

Breaks: after Ctrl-C, kill -9 or a full disk, the same command resumes the crawl. No page is lost, and no finished
page is fetched again, so you can also continue with a larger budget or more seeds. A refused URL is requested again
if you change an option that may have caused the refusal: --allow-private, --ignore-robots, --user-agent, --max-delay,
--max-bytes, --fetch-timeout, --idle-timeout, --proxy or --exclude. --recrawl requests all URLs again, and follows
links that --depth and similar options now allow, and the sitemaps of known seeds if --sitemaps is new. Only the
options that shape the text must stay the same.
`;

/** Returns the help text below the options. */
function explainCrawl(): string {
  return `${EXAMPLES}${explainFilters()}${explainReasons()}${EXIT_CODES}`;
}

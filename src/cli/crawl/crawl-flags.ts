/** Defines the options of `crawl`, and turns them into the options of the crawl and its outputs. */
import { InvalidArgumentError, Option, type Command } from "commander";
import { readProxies } from "../../acquire/http/proxies.js";
import { ADDRESS } from "../../options/option-rules.js";
import { UsageError } from "../../outcome.js";
import type { CrawlOptions, ReachOptions } from "../../crawl/types.js";
import { VERSION } from "../../version.js";
import { addFormatFlag, addRunFlags, addTextFlags, type CleanFlags } from "../options/clean-flags.js";
import {
  parseBytes,
  parseCount,
  parseDuration,
  parseHeader,
  parseNumber,
  parsePause,
  parseWord,
} from "../options/parse-option.js";
import { tellNoEffect } from "../options/unheard-flags.js";
import { FILE_EACH } from "./crawl-documents.js";

/** The options as commander returns them. */
export interface CrawlFlags extends Omit<CleanFlags, "from"> {
  readonly seeds?: readonly string[];
  readonly sitemap?: readonly string[];
  readonly feed?: readonly string[];
  readonly sitemaps?: boolean;
  readonly depth: number;
  readonly sameHost?: boolean;
  readonly sameDomain?: boolean;
  readonly anyHost?: boolean;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly maxPages?: number;
  readonly maxTotalBytes?: number;
  readonly maxPagesPerHost?: number;
  readonly delay: number;
  readonly maxDelay: number;
  readonly hosts: number;
  readonly retries: number;
  readonly retryDelay: number;
  readonly fetchTimeout: number;
  readonly idleTimeout: number;
  readonly userAgent?: string;
  readonly contact?: string;
  readonly tdmrep?: boolean;
  readonly ignoreRobots?: boolean;
  readonly allowPrivate?: boolean;
  readonly proxy?: string;
  readonly warc: boolean;
  readonly warcSize: number;
  readonly outcomes?: string;
  readonly recrawl?: boolean;
  readonly dryRun?: boolean;
}

export function addCrawlFlags(command: Command): Command {
  addSeedFlags(command);
  addReachFlags(command);
  addFetchFlags(command);
  addFolderFlags(command);
  return addRunFlags(addTextFlags(command));
}

/** Collects an option that is repeated for each value, because a variadic option would take the seeds after it. */
function collect(value: string, before: readonly string[] = []): readonly string[] {
  if (value === "") throw new InvalidArgumentError("It must not be empty.");
  return [...before, value];
}

function addSeedFlags(command: Command): void {
  command
    .option(
      "--seeds <file>",
      "URLs to start from, one per line, or a table; - is stdin; can be repeated",
      collect,
    )
    .option(
      "--column <name>",
      "the column or field of a table of seeds (CSV, TSV, JSONL) that holds the URLs",
      parseWord,
    )
    .option(
      "--sitemap <url>",
      "a sitemap, or an index of sitemaps, whose URLs are seeds; can be repeated",
      collect,
    )
    .option("--feed <url>", "an RSS, Atom or JSON feed whose entries are seeds; can be repeated", collect)
    .option("--sitemaps", "also use the sitemaps that the seeds' hosts name in robots.txt as seeds");
}

function addReachFlags(command: Command): void {
  const others = ["sameHost", "sameDomain", "anyHost"];
  const reach = (flag: string, name: string, says: string): Option =>
    new Option(flag, says).conflicts(others.filter((other) => other !== name));
  command
    .addOption(
      new Option("--depth <n>", "how many links away from a seed to fetch; 0 fetches only the seeds")
        .argParser(parseNumber)
        .default(0),
    )
    .addOption(reach("--same-host", "sameHost", "follow links to the host of the seed (default)"))
    .addOption(reach("--same-domain", "sameDomain", "follow links to all hosts of the seed's domain"))
    .addOption(reach("--any-host", "anyHost", "follow links wherever they lead"))
    .option(
      "--include <pattern>",
      "follow only links that match this or another --include (see below)",
      collect,
    )
    .option("--exclude <pattern>", "do not fetch URLs that match; can be repeated", collect)
    .option("--max-pages <n>", "the most pages to fetch, over all runs", parseCount)
    .option("--max-total-bytes <size>", "the most bytes of pages to fetch, over all runs", parseBytes)
    .option("--max-pages-per-host <n>", "the most pages to fetch from one host", parseCount);
}

function addFetchFlags(command: Command): void {
  const timed = (flag: string, says: string, ms: number, shown: string): Option =>
    new Option(flag, says).argParser(parsePause).default(ms, shown);
  command
    .addOption(
      timed(
        "--delay <time>",
        "pause between two requests to a host; robots.txt may ask for more",
        1000,
        "1s",
      ),
    )
    .addOption(
      timed("--max-delay <time>", "hosts whose robots.txt asks for more are left out", 60_000, "60s"),
    )
    .option("--hosts <n>", "hosts to fetch from at the same time, over one connection each", parseCount, 64)
    .option("--retries <n>", "retries after a temporary failure", parseNumber, 2)
    .addOption(
      timed(
        "--retry-delay <time>",
        "pause before the first retry; doubled before each further one",
        5000,
        "5s",
      ),
    )
    .addOption(
      new Option("--fetch-timeout <time>", "time limit for a whole request")
        .argParser(parseDuration)
        .default(60_000, "60s"),
    )
    .addOption(
      new Option("--idle-timeout <time>", "how long to wait while a server sends nothing")
        .argParser(parseDuration)
        .default(20_000, "20s"),
    )
    .option(
      "--user-agent <text>",
      "the whole User-Agent header; robots.txt is checked for its first word",
      parseHeader,
    )
    .option(
      "--contact <where>",
      "your URL or mail address for the owners of servers, added to the User-Agent",
      parseHeader,
    )
    .option(
      "--tdmrep",
      "also read each site's /.well-known/tdmrep.json, which may reserve pages for text and data mining",
    )
    .option("--ignore-robots", "ignore robots.txt: only for your own servers, or if the owner allows it")
    .option("--allow-private", "also fetch from private and local addresses: only for your own servers")
    .option(
      "--proxy <url>",
      "fetch through an http or https proxy (instead of those that HTTP_PROXY and HTTPS_PROXY name)",
    );
}

function addFolderFlags(command: Command): void {
  addFormatFlag(
    command,
    `the clean documents, in DIR: ${FILE_EACH.join(" and ")} one file each, else one file (jsonl)`,
  )
    .option("-o, --output <dir>", "the folder of this crawl; created if it does not exist", parseWord)
    .option(
      "--outcomes <file>",
      "the table of all URLs: .jsonl, .csv or .parquet by its name (DIR/outcomes.jsonl)",
    )
    .option("--no-warc", "do not keep the fetched pages as WARC")
    .addOption(
      new Option("--warc-size <size>", "the size after which a new WARC file begins")
        .argParser(parseBytes)
        .default(1_000_000_000, "1G"),
    )
    .option("--recrawl", "fetch pages of an earlier run again if they have changed")
    .option(
      "--dry-run",
      "print what would be fetched and what robots.txt forbids; fetches only robots.txt, and sitemaps with --sitemaps",
    );
}

/** Throws UsageError if `--proxy`, or a variable that is used without it, is not the URL of a proxy. */
export function toCrawlOptions(flags: CrawlFlags, dir: string): CrawlOptions {
  const proxy = flags.proxy === undefined ? readProxies(process.env) : checkProxy(flags.proxy);
  return {
    dir,
    version: VERSION,
    transport: {
      version: VERSION,
      maxBytes: flags.maxBytes,
      timeoutMs: flags.fetchTimeout,
      idleMs: Math.min(flags.idleTimeout, flags.fetchTimeout),
      addresses: flags.allowPrivate === true ? "any" : "public",
      http2: true,
      ...(flags.userAgent === undefined ? {} : { userAgent: flags.userAgent }),
      ...(flags.contact === undefined ? {} : { contact: flags.contact }),
      ...(proxy === undefined ? {} : { proxy }),
    },
    politeness: {
      delayMs: flags.delay,
      maxDelayMs: Math.max(flags.maxDelay, flags.delay),
      hosts: flags.hosts,
      retries: flags.retries,
      retryMs: flags.retryDelay,
    },
    scope: {
      depth: flags.depth,
      reach: toReach(flags),
      include: flags.include ?? [],
      exclude: flags.exclude ?? [],
    },
    budgets: {
      ...(flags.maxPages === undefined ? {} : { pages: flags.maxPages }),
      ...(flags.maxTotalBytes === undefined ? {} : { bytes: flags.maxTotalBytes }),
      ...(flags.maxPagesPerHost === undefined ? {} : { pagesPerHost: flags.maxPagesPerHost }),
    },
    robots: flags.ignoreRobots === true ? "ignore" : "obey",
    tdmrep: flags.tdmrep === true,
    sitemaps: flags.sitemaps === true,
    warc: flags.warc,
    warcBytes: flags.warcSize,
    recrawl: flags.recrawl === true,
  };
}

/** Returns a sentence for each option of the crawl that has no effect because of another one. */
export function findUnheardOfCrawl(flags: CrawlFlags): string[] {
  const unheard: string[] = [];
  const reach = toReach(flags);
  if (reach !== "host" && flags.depth === 0 && flags.sitemaps !== true) {
    const flag = reach === "any" ? "--any-host" : "--same-domain";
    unheard.push(tellNoEffect(flag, "--depth of at least 1, and --sitemaps"));
  }
  if (flags.contact !== undefined && flags.userAgent !== undefined)
    unheard.push(tellNoEffect("--contact", "the User-Agent header that --user-agent replaces"));
  return unheard;
}

function toReach({ sameDomain, anyHost }: CrawlFlags): ReachOptions["reach"] {
  if (anyHost === true) return "any";
  return sameDomain === true ? "domain" : "host";
}

function checkProxy(url: string): string {
  if (ADDRESS.isRight(url)) return url;
  throw new UsageError(`--proxy ${url} is not a proxy URL, such as http://proxy.example:3128`);
}

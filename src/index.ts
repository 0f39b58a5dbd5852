/** The public exports of the package. */
export type {
  BlockTag,
  Carried,
  Document,
  Label,
  LabelledLine,
  Line,
  Link,
  Metadata,
  Page,
  PageContent,
  PageFormat,
  PageType,
  ConditionVerdict,
  PageVerdict,
  ScoredLine,
} from "./document.js";
export { PAGE_TYPES } from "./document.js";
export { EXIT, OutputError, REASONS, UsageError, type Outcome, type Reason, type Reject } from "./outcome.js";
export type { InputOptions, InputSource } from "./acquire/inputs.js";
export type { Source } from "./acquire/source.js";
export type { FilterOptions } from "./filter/options.js";
export type { FilterName, PresetName } from "./filter/registry.js";
export type { CommentsOption } from "./label/comment-rule.js";
export type { Focus, LabellerName } from "./label/labeller.js";
export {
  createCrawler,
  openCrawl,
  type CrawledPage,
  type Crawler,
  type CrawlerOptions,
} from "./crawl/crawler.js";
export type {
  Budgets,
  CleanReject,
  Crawl,
  CrawlEvent,
  CrawlFigures,
  CrawlHooks,
  CrawlOptions,
  CrawlOutcome,
  CrawlResult,
  PlannedFetch,
  PolitenessOptions,
  ReachOptions,
  Seed,
  SeedFigures,
} from "./crawl/types.js";
export { createThresher, openInputs, type CleanInput, type CleanOptions, type Thresher } from "./thresher.js";
export type { ConditionRecord, DocumentRecord, LineRecord, PageRecord } from "./write/record.js";
export { VERSION } from "./version.js";

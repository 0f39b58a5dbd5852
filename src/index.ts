/** The public exports of the package. */
export type { InputOptions, InputSource } from "./acquire/inputs.js";
export type { InputKind } from "./acquire/kind.js";
export type { Position } from "./acquire/position.js";
export type { Source } from "./acquire/source.js";
export type { Chunks } from "./acquire/streams.js";
export type { Proxies } from "./acquire/http/proxies.js";
export type { AddressPolicy, Lookup, TransportOptions } from "./acquire/http/transport.js";
export type { WarcStart } from "./acquire/warc/warc.js";
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
export type {
  BlockTag,
  CarriedJson,
  ConditionVerdict,
  Cuts,
  Document,
  Holder,
  InlineSpan,
  Label,
  LabelledLine,
  Line,
  Link,
  Metadata,
  Page,
  PageContent,
  PageFormat,
  PageType,
  PageVerdict,
  Register,
  RegisterVerdict,
  ScoredLine,
  Subregister,
  TextCondition,
} from "./document.js";
export { PAGE_TYPES, REGISTERS, SUBREGISTERS } from "./document.js";
export type { ExtractorName } from "./extract/registry.js";
export type { DedupOption, FilterOptions } from "./filter/options.js";
export type { RegisterName } from "./filter/registers.js";
export type { FilterName, Limits, PresetName } from "./filter/registry.js";
export type { CommentsOption } from "./label/comments.js";
export type { ConditionOption } from "./label/text/condition.js";
export type { Focus } from "./label/labeller.js";
export type { LabellerName } from "./label/names.js";
export type { CleanOptions } from "./options/options.js";
export {
  EXIT,
  OutputError,
  REASONS,
  UsageError,
  type Outcome,
  type Reason,
  type Reject,
  type StageName,
} from "./outcome.js";
export type { Wanted } from "./options/page-options.js";
export type { CleanInput } from "./core/input.js";
export type { HtmlOptions, MarkdownOptions } from "./core/shown-options.js";
export {
  createThresher,
  openInputs,
  type CleanedDocument,
  type CleanSource,
  type Thresher,
  type ThresherOptions,
} from "./thresher.js";
export { VERSION } from "./version.js";
export type {
  Carried,
  ConditionRecord,
  DocumentRecord,
  LineRecord,
  PageRecord,
  RegisterRecord,
} from "./write/document-record.js";

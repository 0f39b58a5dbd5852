/** Shows the figures of a corpus as one self-contained HTML page. */
import { formatCount, tellMany } from "../count.js";
import { REGISTER_TITLES } from "../document.js";
import {
  BARS,
  GROUPINGS,
  THRESHOLDS,
  type CorpusFigures,
  type DoubtfulDocument,
  type Kept,
  type LineSample,
} from "./corpus-figures.js";
import { bar, html, page, percent, table, type Column, type Markup } from "./html.js";
import type { Groups } from "./tally.js";

/** The titles of registers by their abbreviations; other groups of texts have none. */
const TITLES: ReadonlyMap<string, string> = new Map(Object.entries(REGISTER_TITLES));

/** Most rows of a table; the last one sums up the rest. */
const MOST_ROWS = 30;
/** Most documents with copies that are listed. */
const MOST_COPIED = 20;

export interface Heading {
  readonly inputs: readonly string[];
  readonly version: string;
  readonly seed: number;
}

export function showCorpus(figures: CorpusFigures, heading: Heading): string {
  return page("What a cleaning did to a corpus", [
    showTotals(figures, heading),
    ...GROUPINGS.map((by) => showGroup(by, figures.groups[by], figures.hasDropped)),
    ...(figures.hasScores
      ? [showScores(figures), showThresholds(figures), showSamples(figures), showDoubtful(figures)]
      : [
          html`<p class="note">
            The records hold no lines with scores. Run with --keep-boilerplate to see them.
          </p>`,
        ]),
    showReasons(figures),
    showCopies(figures),
  ]);
}

function showTotals(figures: CorpusFigures, { inputs, version, seed }: Heading): Markup {
  const { total, rejects, hasDropped, fingerprints } = figures;
  const words = total.keptWords + total.droppedWords;
  const dropped = hasDropped
    ? html`, ${tellMany(total.droppedLines, "line")} with ${tellMany(total.droppedWords, "word")} dropped
      (${percent(total.keptWords, words)} of all words kept)`
    : html` (the records do not hold what was dropped)`;
  const runs = fingerprints.list(5).map(([name]) => name);
  return html`<p>
      ${tellMany(total.documents, "document")}: ${tellMany(total.keptLines, "line")} with
      ${tellMany(total.keptWords, "word")} kept${dropped}. ${tellMany(rejects, "reject")}.
    </p>
    <p class="note">
      Of ${inputs.join(", ")}; scored by ${runs.join(", ")}; Thresher ${version}, samples by seed ${seed}.
    </p> `;
}

function showGroup(by: (typeof GROUPINGS)[number], groups: Groups, hasDropped: boolean): Markup {
  const nameOf = (name: string): string =>
    by === "register" && TITLES.has(name) ? `${name}: ${TITLES.get(name)}` : name;
  const columns: Column[] = [
    { name: "" },
    { name: "documents", isNumber: true },
    { name: "words kept", isNumber: true },
    ...(hasDropped
      ? ([
          { name: "words dropped", isNumber: true },
          { name: "lines kept", isNumber: true },
          { name: "lines dropped", isNumber: true },
          { name: "share of words kept" },
        ] as const)
      : []),
  ];
  const rows = groups.list(MOST_ROWS).map(([name, tally]) => {
    const { documents, keptWords, droppedWords, keptLines, droppedLines } = tally;
    const share = percent(keptWords, keptWords + droppedWords);
    const rest = [
      ...[formatCount(droppedWords), formatCount(keptLines), formatCount(droppedLines)],
      html`${bar(keptWords / Math.max(1, keptWords + droppedWords), share)} ${share}`,
    ];
    return [nameOf(name), formatCount(documents), formatCount(keptWords), ...(hasDropped ? rest : [])];
  });
  return html`<h2>By ${by}</h2>
    ${table(columns, rows)}`;
}

function showScores({ lineScores, documentScores }: CorpusFigures): Markup {
  const mostWords = Math.max(1, ...lineScores);
  const mostDocuments = Math.max(1, ...documentScores);
  const rows = Array.from({ length: BARS }, (_, at) => {
    const words = lineScores[at] ?? 0;
    const documents = documentScores[at] ?? 0;
    return [
      `${(at / BARS).toFixed(2)} to ${((at + 1) / BARS).toFixed(2)}`,
      formatCount(words),
      bar(words / mostWords, tellMany(words, "word")),
      formatCount(documents),
      bar(documents / mostDocuments, tellMany(documents, "document")),
    ];
  });
  const columns: Column[] = [
    { name: "score" },
    { name: "words of lines", isNumber: true },
    { name: "" },
    { name: "documents, by mean score", isNumber: true },
    { name: "" },
  ];
  return html`<h2>Scores</h2>
    <p>
      A score is P(main content). Each page has its own cut; the next table shows what one cut for all pages
      would keep.
    </p>
    ${table(columns, rows)}`;
}

function showThresholds({ total, kept, keptByLanguage, groups }: CorpusFigures): Markup {
  const columns: Column[] = [
    { name: "cut" },
    { name: "documents", isNumber: true },
    { name: "words", isNumber: true },
    { name: "of all words" },
  ];
  const all = total.keptWords + total.droppedWords;
  const row = (name: string, { documents, words }: Kept, whole: number): readonly (string | Markup)[] => {
    const share = percent(words, whole);
    return [
      name,
      formatCount(documents),
      formatCount(words),
      html`${bar(words / Math.max(1, whole), share)} ${share}`,
    ];
  };
  const asKept = { documents: total.documents, words: total.keptWords };
  const languages = groups.language.list(MOST_ROWS).flatMap(([name, tally]) => {
    const own = keptByLanguage.get(name);
    const whole = tally.keptWords + tally.droppedWords;
    if (own === undefined) return [];
    const rows = own.map((one, at) => row(String(THRESHOLDS[at]), one, whole));
    return [
      html`<details>
        <summary>${name}</summary>
        ${table(columns, [row("as it is", { documents: tally.documents, words: tally.keptWords }, whole), ...rows])}
      </details> `,
    ];
  });
  return html`<h2>Other cuts</h2>
    <p>
      What <code>--threshold</code> would keep. To apply another cut without labelling again, give the records
      to the command with it.
    </p>
    ${table(columns, [row("as it is", asKept, all), ...kept.map((one, at) => row(String(THRESHOLDS[at]), one, all))])}
    <h3>By language</h3>
    ${languages}`;
}

function showSamples({ samples }: CorpusFigures): Markup {
  const parts = samples.map(
    ({ items, seen }, at) =>
      html`<details${at === 4 ? OPEN : NOTHING}>
<summary>Around ${String(THRESHOLDS[at])}: ${items.length} of ${tellMany(seen, "line")}</summary>
${showLines(items)}</details>
`,
  );
  return html`<h2>Lines around each cut</h2>
    <p>Random lines with scores within .05 of the cut: + lines are in the text, − lines are not.</p>
    ${parts}`;
}

const OPEN = html` open`;
const NOTHING = html``;

function showLines(lines: readonly LineSample[]): Markup {
  const items = lines.map(
    ({ text, score, isKept }) =>
      html`<li class="${isKept ? "kept" : "dropped"}">
        <span class="score">${score.toFixed(3)}</span> <span class="line" dir="auto">${text}</span>
      </li> `,
  );
  return html`<ul class="lines">
    ${items}
  </ul> `;
}

function showDoubtful({ doubtful }: CorpusFigures): Markup {
  const parts = doubtful.items.map(
    ({ id, url, words, doubt, lines }: DoubtfulDocument) =>
      html`<details>
        <summary>
          ${id}
          <span class="note"
            >${url === id ? "" : url} ${tellMany(words, "word")}, doubt ${doubt.toFixed(2)}</span
          >
        </summary>
        ${showLines(lines)}
      </details> `,
  );
  return html`<h2>Least sure documents</h2>
    <p>
      Doubt is the mean of 1 − |2 × score − 1| over lines, weighted by their words. The lines below contribute
      most to it.
    </p>
    ${parts}`;
}

function showReasons({ reasons, rejectReasons }: CorpusFigures): Markup {
  const columns: Column[] = [{ name: "" }, { name: "count", isNumber: true }];
  const toRows = (list: readonly (readonly [string, number])[]): readonly (readonly string[])[] =>
    list.map(([name, number]) => [name, formatCount(number)]);
  const lines = reasons.list(MOST_ROWS);
  const rejects = rejectReasons.list(MOST_ROWS);
  return html`${
    lines.length === 0
      ? NOTHING
      : html`<h2>Lines that a rule decided</h2>
          ${table(columns, toRows(lines))}`
  }
  ${
    rejects.length === 0
      ? NOTHING
      : html`<h2>Rejects</h2>
          ${table(columns, toRows(rejects))}`
  }`;
}

function showCopies({ copied, copies, total }: CorpusFigures): Markup {
  const rows = copies.list(MOST_COPIED).map(({ first, copies: later, some }) => {
    return [first, formatCount(later), `${some.join(", ")}${later > some.length ? " …" : ""}`];
  });
  if (rows.length === 0) return html``;
  const columns: Column[] = [
    { name: "first document" },
    { name: "later copies", isNumber: true },
    { name: "such as" },
  ];
  return html`<h2>Near-duplicates</h2>
    <p>
      ${tellMany(copied, "near-duplicate")} of an earlier document (${percent(copied, total.documents)} of
      all): the same words, or about seven of ten runs of five words (MinHash).
      <code>--dedup near</code> drops them.
    </p>
    ${table(columns, rows)}`;
}

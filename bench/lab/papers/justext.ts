/** Reports on jusText's algorithm, which classifies paragraphs by stop words, length, links and neighbours. */
import { cite, code, commands, differences, section, table, tellMissing } from "./parts.js";
import { JUSTEXT_AGREEMENT, PAPERS } from "./published.js";
import {
  figureAt,
  keysAt,
  lookUp,
  entryWith,
  NOT_MEASURED,
  numberAt,
  show,
  showCount,
  showShare,
  type Sources,
} from "./sources.js";
import { formatPercent, NONE } from "../../report/format.js";

export function justext(sources: Sources): string {
  return section(
    "jusText's algorithm",
    cite(PAPERS.justext),
    `Here: ${code("--labeller justext")}, which the benchmark calls \`justext-ours\`; it calls the original \`justext\`.`,
    tellMissing(sources, "justext"),
    agreementVerdict(sources),
    agreement(sources),
    "The same pages, line F1 and ROUGE-LSum F1:",
    quality(sources),
    differences(sources, "justext"),
    commands(sources, "justext"),
  );
}

/**
 * Returns the share of lines to which ours and the original give the same label: with `paragraphs` on the original's paragraphs
 * and with its stop words, with `labeller` as the labeller is used, on our lines and with our stop words.
 */
export function agreementOf(sources: Sources, name: "paragraphs" | "labeller"): number | undefined {
  const found = entryWith(sources, "justext", ["agreement", "figures"], { name });
  return found === undefined
    ? undefined
    : numberAt(sources, "justext", "agreement", "figures", found, "agreement");
}

function agreementVerdict(sources: Sources): string {
  const [paragraphs, used] = [agreementOf(sources, "paragraphs"), agreementOf(sources, "labeller")];
  const least = formatPercent(JUSTEXT_AGREEMENT);
  if (paragraphs === undefined || used === undefined)
    return `Agreement with the original (wanted: at least ${least}): ${NOT_MEASURED}.`;
  const reached = Math.min(paragraphs, used) >= JUSTEXT_AGREEMENT ? "reached" : "missed";
  return (
    `Agreement with the original: at least ${least} of the paragraphs of 200 pages are wanted. ${reached[0]?.toUpperCase() ?? ""}${reached.slice(1)}: ` +
    `${formatPercent(paragraphs)} on its own paragraphs with its own stop words, ${formatPercent(used)} as the labeller is used, on our lines with our stop words.`
  );
}

function agreement(sources: Sources): string {
  const rows = keysAt(sources, "justext", "agreement", "figures").map((index) => {
    const at = (key: string) => numberAt(sources, "justext", "agreement", "figures", index, key);
    const compared = lookUp(sources, "justext", ["agreement", "figures", index, "compared"]);
    return [
      typeof compared === "string" ? compared : index,
      showCount(at("all")),
      showShare(at("same"), at("all")),
      showShare(at("sameWords"), at("words")),
    ];
  });
  return table(["compared", "lines", "agree", "of their words"], rows);
}

const CORPORA = ["canola", "l3s-gn1", "cleaneval", "turku-tq-dev"] as const;

function quality(sources: Sources): string {
  const rows = CORPORA.map((corpus) => {
    const of = (system: string, measure: string): string => {
      const found = figureAt(sources, "justext", "quality", corpus, "systems", system, measure);
      return found === undefined && corpus === "turku-tq-dev" && system === "justext" ? NONE : show(found);
    };
    return [
      corpus,
      showCount(numberAt(sources, "justext", "quality", corpus, "documents")),
      of("justext-ours", "lineF1"),
      of("justext", "lineF1"),
      of("justext-ours", "rougeF1"),
      of("justext", "rougeF1"),
    ];
  });
  return table(
    ["corpus", "documents", "line F1: justext-ours", "justext", "ROUGE-LSum: justext-ours", "justext"],
    rows,
  );
}

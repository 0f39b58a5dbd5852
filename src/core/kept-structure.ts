/** Removes from a record with scores what an earlier run kept of the structure of its page and this run does not want. */
import type { LabelledLine, ScoredDocument } from "../document.js";
import type { StructureOption } from "../extract/extractor.js";
import type { Writable } from "../writable.js";

/** Removes the structure and images that an earlier run kept and this run does not want. */
export function keepStructure(scored: ScoredDocument, structure: StructureOption): ScoredDocument {
  if (structure === "keep" || scored.holders === undefined) return scored;
  if (structure === "words") return { ...scored, lines: scored.lines.map(withoutImages) };
  const others: Writable<ScoredDocument> = { ...scored, lines: scored.lines.map(withoutStructure) };
  delete others.holders;
  return others;
}

/** Removes image spans from a line, because formats would make empty figures and cells of them. */
function withoutImages(line: LabelledLine): LabelledLine {
  const spans = line.spans?.filter(({ kind }) => kind !== "image");
  if (spans?.length === line.spans?.length) return line;
  const bare: Writable<LabelledLine> = { ...line };
  if (spans === undefined || spans.length === 0) delete bare.spans;
  else bare.spans = spans;
  return bare;
}

function withoutStructure(line: LabelledLine): LabelledLine {
  const bare: Writable<LabelledLine> = { ...line };
  delete bare.holder;
  delete bare.spans;
  delete bare.links;
  return bare;
}

/** Cuts lines that are whole texts into sentences for labelling, and joins the labelled sentences into lines again. */
import type { Document, LabelledLine, Line } from "../document.js";
import { cutSentences, LONGEST_LINE, NOTE_CUT } from "../language/sentences.js";
import { roundScore } from "./label-line.js";

/** The reason for the label of a long line: most of its characters are in sentences with this label. */
export const WHY_SENTENCES = "by-sentences";

interface CutDocument {
  readonly document: Document;
  /** Returns the labelled document with the original lines. */
  join(labelled: Document<LabelledLine>): Document<LabelledLine>;
}

/** Returns undefined for pages, whose lines end with their blocks, and for texts without lines that are too long. */
export function cutLongLines(document: Document): CutDocument | undefined {
  if (document.source === "html" || !document.lines.some(isLong)) return undefined;
  const pieces = document.lines.map((line) => (isLong(line) ? cut(line) : [line]));
  return {
    document: { ...document, lines: pieces.flat() },
    join(labelled) {
      let next = 0;
      const lines = pieces.map(({ length }, at): LabelledLine => {
        const parts = labelled.lines.slice(next, next + length);
        next += length;
        const [only] = parts;
        const line = document.lines[at];
        if (only === undefined || line === undefined) throw new Error("a line was not labelled");
        return isLong(line) ? joinParts(line, parts) : only;
      });
      const notes = labelled.notes.filter((note) => note !== NOTE_CUT);
      return { ...labelled, lines, notes: [...notes, NOTE_CUT] };
    },
  };
}

function isLong({ text }: Line): boolean {
  return text.length > LONGEST_LINE;
}

function cut(line: Line): Line[] {
  return [...cutSentences(line.text)].map(([start, end], at) => ({
    ...line,
    text: line.text.slice(start, end).trim(),
    breakBefore: at === 0 ? line.breakBefore : "line",
  }));
}

function joinParts(line: Line, parts: readonly LabelledLine[]): LabelledLine {
  let all = 0;
  let content = 0;
  let score = 0;
  for (const part of parts) {
    const { length } = part.text;
    all += length;
    score += part.score * length;
    if (part.label === "content") content += length;
  }
  const label = content * 2 >= all ? "content" : "boilerplate";
  return { ...line, score: roundScore(score / all), label, why: WHY_SENTENCES };
}

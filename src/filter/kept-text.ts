/** Gives filters their view of a labelled document: the kept text, and figures that several filters need. */
import type { Document, LabelledLine } from "../document.js";
import { countWords } from "../language/words.js";
import { countCharacters, type Characters } from "./scripts.js";
import { readTerms, type Terms } from "./terms.js";

interface KeptLine {
  readonly text: string;
  /** Whether it is a list item. */
  readonly isItem: boolean;
}

/** The language of a text. */
interface Identified {
  /** ISO 639-1 code; one of the languages that the library can identify, or the stated one if it is not. */
  readonly code: string;
  /** The share of the examined text that is in this language. */
  readonly share: number;
}

/**
 * Identifies the language of a text; undefined if the text is too short. `lang` is the language that the document
 * states.
 */
export type Identify = (
  lines: readonly string[],
  characters: Characters,
  lang: string | undefined,
) => Identified | undefined;

/** The kept text of a document. Each figure is computed when it is first read, and only once. */
export interface Kept {
  readonly document: Document<LabelledLine>;
  /** The content lines without blank ones; each line of a `pre` is a line here. */
  readonly lines: readonly KeptLine[];
  /** The texts of lines between two block boundaries, joined by line breaks. */
  readonly paragraphs: readonly string[];
  /** The number of words, counted as for the record. */
  readonly words: number;
  readonly characters: Characters;
  readonly terms: Terms;
  /** Undefined if languages are not identified, or the text is too short. */
  readonly language: Identified | undefined;
}

export function viewKept(document: Document<LabelledLine>, identify: Identify): Kept {
  const { lines, paragraphs } = readLines(document);
  const texts = lines.map(({ text }) => text);
  const words = once(() => texts.reduce((sum, text) => sum + countWords(text), 0));
  const characters = once(() => countCharacters(texts));
  const terms = once(() => readTerms(texts));
  const language = once(() => identify(texts, characters(), document.meta.lang));
  return {
    document,
    lines,
    paragraphs,
    get words() {
      return words();
    },
    get characters() {
      return characters();
    },
    get terms() {
      return terms();
    },
    get language() {
      return language();
    },
  };
}

function once<T>(compute: () => T): () => T {
  let known: { readonly value: T } | undefined;
  return () => (known ??= { value: compute() }).value;
}

function readLines(document: Document<LabelledLine>): Pick<Kept, "lines" | "paragraphs"> {
  const lines: KeptLine[] = [];
  const paragraphs: string[][] = [];
  let isNew = true;
  for (const { text, block, continuesItem, breakBefore, label } of document.lines) {
    isNew ||= breakBefore === "block";
    if (label !== "content") continue;
    for (const part of text.includes("\n") ? text.split("\n") : [text]) {
      if (part.trim() === "") continue;
      lines.push({ text: part, isItem: block === "li" && continuesItem !== true });
      if (isNew) paragraphs.push([]);
      paragraphs.at(-1)?.push(part);
      isNew = false;
    }
  }
  return { lines, paragraphs: paragraphs.map((parts) => parts.join("\n")) };
}

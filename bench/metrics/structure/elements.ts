/** Names the kinds of elements that the measure of structure compares. */
import type { HtmlElement } from "./html-tree.js";

export interface ElementKind {
  readonly name: string;
  readonly title: string;
  readonly explanation: string;
  /** A stricter reading of another kind, which is shown with less weight. */
  readonly isSecond?: true;
}

export const ELEMENT_KINDS = [
  { name: "heading", title: "heading", explanation: "h1 to h6 without the page's title, by text" },
  { name: "item", title: "list item", explanation: "the text of an item without its inner lists" },
  { name: "cell", title: "table cell", explanation: "a filled cell of a table that is no layout" },
  { name: "code", title: "code block", explanation: "the words of a block of code" },
  { name: "quote", title: "quote", explanation: "a line inside of a quotation" },
  { name: "link", title: "link", explanation: "text and target of a link, line by line" },
  {
    name: "emphasis",
    title: "emphasis",
    explanation: "emphasised text outside of headings, strong or not, line by line",
  },
  { name: "inline-code", title: "code in text", explanation: "the words of code inside of a line" },
  {
    name: "heading-level",
    title: "heading + level",
    explanation: "as heading, with its level",
    isSecond: true,
  },
  {
    name: "code-verbatim",
    title: "code verbatim",
    explanation: "a block of code with its lines and indentation",
    isSecond: true,
  },
] as const satisfies readonly ElementKind[];

export type ElementName = (typeof ELEMENT_KINDS)[number]["name"];

/** One element as it is compared: two are the same if kind and key are. */
export interface PageElement {
  readonly kind: ElementName;
  readonly key: string;
  readonly words: string;
  /** Its own words, as ranges [from, to) of the document's tokens. */
  readonly ranges: readonly (readonly [number, number])[];
}

/** A block of the page, with where its words are, as a range [from, to) of the document's tokens. */
export interface PageBlock {
  readonly element: HtmlElement;
  readonly range: readonly [number, number];
}

/** What one reading of HTML gives: the words of each line, in order, and the elements around them. */
export interface ReadElements {
  readonly lines: readonly (readonly string[])[];
  readonly elements: readonly PageElement[];
  /** Its filled blocks, inner ones before outer ones. */
  readonly blocks: readonly PageBlock[];
  /** What headings say that repeat the title of the page. */
  readonly titles: ReadonlySet<string>;
  /** What its links are relative to. */
  readonly base: string;
}

/** Names the kinds of elements that the structure measure compares. */
import type { HtmlElement } from "./html-tree.js";

export interface ElementKind {
  readonly name: string;
  readonly title: string;
  readonly explanation: string;
  /** Set for a stricter version of another kind, which the reports show with less emphasis. */
  readonly isSecond?: true;
}

export const ELEMENT_KINDS = [
  { name: "heading", title: "heading", explanation: "h1 to h6 without the page's title, by text" },
  { name: "item", title: "list item", explanation: "the text of an item without its inner lists" },
  { name: "cell", title: "table cell", explanation: "a filled cell of a table that is not used for layout" },
  { name: "code", title: "code block", explanation: "the words of a block of code" },
  { name: "quote", title: "quote", explanation: "a line inside a quotation" },
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

/** One element in the form that is compared: two elements are equal if their kind and key are equal. */
export interface PageElement {
  readonly kind: ElementName;
  readonly key: string;
  readonly words: string;
  /** The element's own words, as ranges [from, to) of the document's tokens. */
  readonly ranges: readonly (readonly [number, number])[];
  /**
   * Set for an element of another kind that Markdown can only write like this kind, such as `kbd` as code: finding it is
   * neither required nor wrong.
   */
  readonly isOptional?: true;
  /** Set for emphasis: whether it is strong. */
  readonly isStrong?: boolean;
}

/** A block element of the page and its words, as a range [from, to) of the document's tokens. */
export interface PageBlock {
  readonly element: HtmlElement;
  readonly range: readonly [number, number];
}

/** The result of reading HTML: the words of each line, in order, and the elements around them. */
export interface ReadElements {
  readonly lines: readonly (readonly string[])[];
  readonly elements: readonly PageElement[];
  /** The blocks that hold words, inner ones before outer ones. */
  readonly blocks: readonly PageBlock[];
  /** The titles of the page: headings with the same words repeat the title. */
  readonly titles: ReadonlySet<string>;
  /** The address that its links are relative to. */
  readonly base: string;
}

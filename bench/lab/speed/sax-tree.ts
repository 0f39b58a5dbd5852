/** Builds a light tree from htmlparser2's events, without standard construction, to compare with the quick tree. */
import { createRequire } from "node:module";
import type { ElementNode, ParsedPage } from "../../../dist/document/tree.js";

/** The part of htmlparser2 that is used here. The package comes with linkedom and is not a dependency of ours. */
interface Events {
  onopentag(name: string, attributes: Readonly<Record<string, string>>): void;
  ontext(text: string): void;
  onclosetag(): void;
}
interface SaxLibrary {
  readonly Parser: new (events: Events) => { end(html: string): void };
}

/** Throws when linkedom no longer brings htmlparser2. */
export function loadSax(): (html: string) => ParsedPage {
  const linkedom = createRequire(import.meta.url).resolve("linkedom");
  const { Parser } = createRequire(linkedom)("htmlparser2") as SaxLibrary; // its documented interface
  return (html) => {
    const root = createElement("#document", new Map(), null);
    let open = root;
    let elements = 0;
    new Parser({
      onopentag(name, attributes) {
        const element = createElement(name, new Map(Object.entries(attributes)), open);
        open.children.push(element);
        open = element;
        elements += 1;
      },
      ontext(value) {
        const last = open.children.at(-1);
        if (last?.kind === "text") last.value += value;
        else open.children.push({ kind: "text", value, parent: open, start: -1, end: -1 });
      },
      onclosetag() {
        open = open.parent ?? root;
      },
    }).end(html);
    return { id: "", url: "", html, root, elements, depth: 0, notes: [] };
  };
}

function createElement(
  tag: string,
  attributes: ReadonlyMap<string, string>,
  parent: ElementNode | null,
): ElementNode {
  return { kind: "element", tag, attributes, namespace: "html", parent, children: [] };
}

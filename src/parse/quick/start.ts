/** A start tag into an open or a closed element, as the HTML standard's "in body" has it. */
import type { Attributes, ElementNode } from "../../tree.js";
import { currentContext, currentTag, isCapped, type Build } from "./build.js";
import { addElement, openElement } from "./insert.js";
import { closeImplied, closeParagraph, findInScope, truncate } from "./insert.js";
import { isForeign, openForeign, startInForeign } from "./foreign.js";
import { endFormatting, endLink, openFormatting, reconstruct } from "./formatting.js";
import { adoptAttributes, isOutside, startOutside } from "./outside.js";
import { contextTag, startInSelect, startInTable, startTablePart } from "./table.js";
import { BITS, TAGS, tagOf, type StartKind, type Tag } from "./tags.js";
import { keepApart } from "./text.js";

/** Returns an element whose content is text, not markup. */
type Rule = (build: Build, tag: Tag, attributes: Attributes) => ElementNode | undefined;

const TEMPLATE = tagOf("template");
const OPTION = tagOf("option");
const RUBY = tagOf("ruby");
const RTC = tagOf("rtc");
const IMG = tagOf("img");
const COLGROUP = tagOf("colgroup");
const SELECT = tagOf("select");
const DD = tagOf("dd");
const DT = tagOf("dt");

/** Takes the next start tag. If the content of its element is text, the element comes back, for its text. */
export function startTag(build: Build, tag: Tag, attributes: Attributes): ElementNode | undefined {
  build.skipsBreak = false;
  // Without their start tag, the content of raw elements would turn into visible text.
  if (isCapped(build) && tag.content === "markup" && tag.start !== "plaintext") {
    keepApart(build);
    return undefined;
  }
  if (build.sunken.length > 0) return startSunken(build, tag, attributes);
  if (isForeign(build) && startInForeign(build, tag, attributes)) return undefined;
  if (isOutside(build)) {
    const outcome = startOutside(build, tag, attributes);
    if (outcome !== "inBody") return outcome === "done" ? undefined : outcome;
  }
  return startInside(build, tag, attributes);
}

function startInside(build: Build, tag: Tag, attributes: Attributes): ElementNode | undefined {
  if (tag.start === "tablePart") {
    startTablePart(build, tag, attributes);
    return undefined;
  }
  let context = contextTag(build);
  if (context === SELECT) {
    const outcome = startInSelect(build, tag, attributes);
    if (outcome !== "ended") return outcome === "done" ? undefined : outcome;
    context = contextTag(build);
  }
  if (context === COLGROUP) {
    truncate(build, currentContext(build));
    context = contextTag(build);
  }
  if ((context.bits & BITS.rows) !== 0) {
    const outcome = startInTable(build, tag, attributes);
    if (outcome !== "fostered") return outcome === "done" ? undefined : outcome;
    build.isFostering = true;
  }
  const element = RULES[tag.id]?.(build, tag, attributes);
  build.isFostering = false;
  return element;
}

/** Below the depth limit there is no nesting: every element is a leaf. */
function startSunken(build: Build, tag: Tag, attributes: Attributes): ElementNode | undefined {
  if (tag.content !== "markup") return addElement(build, tag, attributes);
  if (tag.start === "ignored" || tag.start === "html" || tag.start === "body") return undefined;
  if (VOID.has(tag.start) || build.tagScan.isSelfClosed) addElement(build, tag, attributes);
  else openElement(build, tag, attributes);
  return undefined;
}

const VOID: ReadonlySet<StartKind> = new Set(["void", "hr", "paramlike", "image", "input"]);

const open: Rule = (build, tag, attributes) => {
  reconstruct(build);
  openElement(build, tag, attributes);
  return undefined;
};

const openBlock: Rule = (build, tag, attributes) => {
  closeParagraph(build);
  openElement(build, tag, attributes);
  return undefined;
};

const addVoid: Rule = (build, tag, attributes) => {
  reconstruct(build);
  addElement(build, tag, attributes);
  return undefined;
};

/** A list item ends the item before it, unless it stands in a list of its own. */
const openItem: Rule = (build, tag, attributes) => {
  const isItem = (open: Tag): boolean => (tag.name === "li" ? open === tag : open === DD || open === DT);
  const count =
    tag.name === "li" ? build.counts[tag.id] : (build.counts[DD.id] ?? 0) + (build.counts[DT.id] ?? 0);
  for (let place = count === 0 ? 0 : build.tags.length - 1; place > 0; place -= 1) {
    const current = build.tags[place];
    if (current === undefined) break;
    if (isItem(current)) {
      truncate(build, place);
      break;
    }
    const isBound = (current.bits & BITS.special) !== 0;
    if (isBound && current.name !== "address" && current.name !== "div" && current.name !== "p") break;
  }
  return openBlock(build, tag, attributes);
};

const KIND_RULES: Readonly<Record<StartKind, Rule>> = {
  generic: open,
  ignored: () => undefined,
  tablePart: () => undefined,
  head: () => undefined,
  frameset: () => undefined,
  block: openBlock,
  item: openItem,
  void: addVoid,
  input: addVoid,
  image: (build, _tag, attributes) => addVoid(build, IMG, attributes),
  heading(build, tag, attributes) {
    closeParagraph(build);
    if ((currentTag(build).bits & BITS.heading) !== 0) truncate(build, build.nodes.length - 1);
    openElement(build, tag, attributes);
    return undefined;
  },
  pre(build, tag, attributes) {
    openBlock(build, tag, attributes);
    build.skipsBreak = true;
    return undefined;
  },
  formatting(build, tag, attributes) {
    reconstruct(build);
    openFormatting(build, tag, attributes);
    return undefined;
  },
  link(build, tag, attributes) {
    endLink(build, tag);
    reconstruct(build);
    openFormatting(build, tag, attributes);
    return undefined;
  },
  nobr(build, tag, attributes) {
    reconstruct(build);
    if (findInScope(build, tag, BITS.scope) > 0) {
      endFormatting(build, tag);
      reconstruct(build);
    }
    openFormatting(build, tag, attributes);
    return undefined;
  },
  hr(build, tag, attributes) {
    closeParagraph(build);
    addElement(build, tag, attributes);
    return undefined;
  },
  paramlike(build, tag, attributes) {
    addElement(build, tag, attributes);
    return undefined;
  },
  raw(build, tag, attributes) {
    if (tag.name === "xmp") {
      closeParagraph(build);
      reconstruct(build);
    }
    return addElement(build, tag, attributes);
  },
  plaintext(build, tag, attributes) {
    closeParagraph(build);
    return addElement(build, tag, attributes);
  },
  html(build, _tag, attributes) {
    const html = build.nodes[0];
    if (html !== undefined && build.counts[TEMPLATE.id] === 0) adoptAttributes(html, attributes);
    return undefined;
  },
  body(build, _tag, attributes) {
    if (build.body !== undefined && build.counts[TEMPLATE.id] === 0) adoptAttributes(build.body, attributes);
    return undefined;
  },
  form(build, tag, attributes) {
    const isInTemplate = build.counts[TEMPLATE.id] !== 0;
    if (build.form !== undefined && !isInTemplate) return undefined;
    closeParagraph(build);
    const form = openElement(build, tag, attributes);
    if (!isInTemplate) build.form = form;
    return undefined;
  },
  button(build, tag, attributes) {
    const place = findInScope(build, tag, BITS.scope);
    if (place > 0) truncate(build, place);
    return open(build, tag, attributes);
  },
  marker: open,
  table(build, tag, attributes) {
    if (!build.isQuirks) closeParagraph(build);
    openElement(build, tag, attributes);
    return undefined;
  },
  select: open,
  option(build, tag, attributes) {
    if (currentTag(build) === OPTION) truncate(build, build.nodes.length - 1);
    return open(build, tag, attributes);
  },
  ruby(build, tag, attributes) {
    if (findInScope(build, RUBY, BITS.scope) > 0) closeImplied(build);
    openElement(build, tag, attributes);
    return undefined;
  },
  rubyText(build, tag, attributes) {
    if (findInScope(build, RUBY, BITS.scope) > 0) closeImplied(build, RTC);
    openElement(build, tag, attributes);
    return undefined;
  },
  template(build, tag, attributes) {
    openElement(build, tag, attributes);
    return undefined;
  },
  foreign(build, tag, attributes) {
    reconstruct(build);
    openForeign(build, tag.name, attributes, tag.name === "svg" ? "svg" : "mathml");
    return undefined;
  },
};

/** By the id of the tag. */
const RULES: readonly Rule[] = TAGS.map((tag) => KIND_RULES[tag.start]);

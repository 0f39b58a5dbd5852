/** An end tag into the elements that it closes, as the HTML standard has it. */
import { NO_ATTRIBUTES } from "./attributes.js";
import { currentContext, currentTag, isCapped, type Build } from "./build.js";
import { addElement, raise, raiseAll } from "./insert.js";
import { closeImplied, findInScope, removeAt, truncate } from "./insert.js";
import { endInForeign } from "./foreign.js";
import { endFormatting, reconstruct } from "./formatting.js";
import { endOutside, isOutside } from "./outside.js";
import { contextTag, endInSelect, endTablePart } from "./table.js";
import { BITS, TAGS, tagOf, type EndKind, type Tag } from "./tags.js";
import { keepApart } from "./text.js";

type Rule = (build: Build, tag: Tag) => void;

const BR = tagOf("br");
const SELECT = tagOf("select");
const COLGROUP = tagOf("colgroup");
const COL = tagOf("col");
const TEMPLATE = tagOf("template");

export function endTag(build: Build, tag: Tag): void {
  build.skipsBreak = false;
  if (build.sunken.length > 0) {
    const isOpen = (tag.bits & BITS.special) !== 0 && build.counts[tag.id] !== 0;
    if (raise(build, tag) || !isOpen) return;
    raiseAll(build);
  }
  // An end tag without its element makes up an empty one for `p` and `br`.
  if (isCapped(build) && (tag.end === "p" || tag.end === "br")) {
    keepApart(build);
    return;
  }
  if ((currentTag(build).bits & BITS.foreign) !== 0 && endInForeign(build, tag)) return;
  if (isOutside(build) && endOutside(build, tag)) return;
  endInside(build, tag);
}

function endInside(build: Build, tag: Tag): void {
  if (contextTag(build) === COLGROUP && tag !== COLGROUP && tag !== TEMPLATE) {
    if (tag === COL) return;
    truncate(build, currentContext(build));
  }
  if (tag.end === "tablePart") {
    endTablePart(build, tag);
    return;
  }
  const context = contextTag(build);
  if (context === SELECT && tag !== TEMPLATE) {
    endInSelect(build, tag);
    return;
  }
  build.isFostering = (context.bits & BITS.rows) !== 0;
  RULES[tag.id]?.(build, tag);
  build.isFostering = false;
}

/** Closes the innermost element of the tag in scope, with all that is open inside. */
function closeInScope(build: Build, tag: Tag, bounds: number): boolean {
  const place = findInScope(build, tag, bounds);
  if (place > 0) truncate(build, place);
  return place > 0;
}

/** An ordinary element; its end tag does not reach across a block. */
function endGeneric(build: Build, tag: Tag): void {
  if (build.counts[tag.id] === 0) return;
  for (let place = build.tags.length - 1; place > 0; place -= 1) {
    const open = build.tags[place];
    if (open === tag) {
      truncate(build, place);
      return;
    }
    if (open === undefined || (open.bits & BITS.special) !== 0) return;
  }
}

const KIND_RULES: Readonly<Record<EndKind, Rule>> = {
  generic: endGeneric,
  ignored: () => undefined,
  tablePart: () => undefined,
  head: () => undefined,
  frameset: () => undefined,
  select: (build, tag) => {
    closeInScope(build, tag, BITS.scope);
  },
  block: (build, tag) => {
    closeInScope(build, tag, BITS.scope);
  },
  p(build, tag) {
    if (!closeInScope(build, tag, BITS.buttonScope)) addElement(build, tag, NO_ATTRIBUTES);
  },
  item: (build, tag) => {
    closeInScope(build, tag, tag.name === "li" ? BITS.listScope : BITS.scope);
  },
  heading(build) {
    for (let place = build.tags.length - 1; place > 0; place -= 1) {
      const bits = build.tags[place]?.bits ?? 0;
      if ((bits & BITS.heading) !== 0) {
        truncate(build, place);
        return;
      }
      if ((bits & BITS.scope) !== 0) return;
    }
  },
  formatting(build, tag) {
    if (!endFormatting(build, tag)) endGeneric(build, tag);
  },
  br(build) {
    reconstruct(build);
    addElement(build, BR, NO_ATTRIBUTES);
  },
  form(build, tag) {
    if (build.counts[TEMPLATE.id] !== 0) {
      closeInScope(build, tag, BITS.scope);
      return;
    }
    const { form } = build;
    build.form = undefined;
    if (form === undefined || findInScope(build, tag, BITS.scope) < 0) return;
    closeImplied(build);
    const place = build.nodes.lastIndexOf(form);
    if (place < 0) return;
    if (place === build.nodes.length - 1) truncate(build, place);
    else {
      // What is open inside of the form stays open.
      removeAt(build, place);
      build.uneven += 1;
    }
  },
  marker: (build, tag) => {
    closeInScope(build, tag, BITS.scope);
  },
  template: (build, tag) => {
    const place = build.counts[tag.id] === 0 ? -1 : build.tags.lastIndexOf(tag);
    if (place > 0) truncate(build, place);
  },
};

/** By the id of the tag. */
const RULES: readonly Rule[] = TAGS.map((tag) => KIND_RULES[tag.end]);

/** Parts of tables and of `select`, which are read by the part around them: HTML standard 13.2.6.4.9 to 13.2.6.4.17. */
import type { Attributes, ElementNode } from "../../tree.js";
import { NO_ATTRIBUTES } from "./attributes.js";
import { currentContext, currentTag, type Build } from "./build.js";
import { addElement, openElement } from "./insert.js";
import { findInScope, truncate } from "./insert.js";
import { BITS, tagOf, type Tag } from "./tags.js";

const TABLE = tagOf("table");
const TBODY = tagOf("tbody");
const TR = tagOf("tr");
const COLGROUP = tagOf("colgroup");
const COL = tagOf("col");
const SELECT = tagOf("select");
const TEMPLATE = tagOf("template");
const OPTION = tagOf("option");
const OPTGROUP = tagOf("optgroup");

const isCell = (tag: Tag): boolean => tag.name === "td" || tag.name === "th";

export function contextTag(build: Build): Tag {
  return build.tags[currentContext(build)] ?? TABLE;
}

/** Opens a part of a table at its place, with the parts around it that are not written; outside of tables it is nothing. */
export function startTablePart(build: Build, tag: Tag, attributes: Attributes): void {
  // Each round closes a part or opens one that was left out: a few rounds for a page that nests as deep as it may.
  for (let round = 0; round < build.limits.maxDepth; round += 1) {
    const place = currentContext(build);
    const context = contextTag(build);
    if (context === TEMPLATE) {
      // A template may start with a part of a table; after other content there is none.
      if (currentTag(build) !== TEMPLATE) return;
      break;
    }
    if (context.name === "html") return;
    if (context === SELECT) {
      if (tag === COL || tag === COLGROUP || !isInTable(build, place)) return;
      truncate(build, place);
    } else if (context === COLGROUP) {
      if (tag === COL) break;
      truncate(build, place);
    } else if ((context.bits & BITS.rows) === 0) truncate(build, place);
    else {
      truncate(build, place + 1);
      const missing = missingPart(context, tag);
      if (missing === "none") break;
      if (missing === "outside") truncate(build, place);
      else {
        const before = build.nodes.length;
        openElement(build, missing, NO_ATTRIBUTES);
        if (build.nodes.length === before) break;
      }
    }
  }
  if (tag === COL) addElement(build, tag, attributes);
  else openElement(build, tag, attributes);
}

function isInTable(build: Build, selectPlace: number): boolean {
  return build.tags[build.contexts[selectPlace - 1] ?? 0]?.name !== "html";
}

/** The part that has to stand between `context` and `tag`; "outside" if `context` ends before `tag`. */
function missingPart(context: Tag, tag: Tag): Tag | "none" | "outside" {
  if (context === TABLE) {
    if (isCell(tag) || tag === TR) return TBODY;
    return tag === COL ? COLGROUP : "none";
  }
  if (context === TR) return isCell(tag) ? "none" : "outside";
  if (tag === TR) return "none";
  return isCell(tag) ? TR : "outside";
}

/** Closes a part of a table if it is open, with all that is open inside; an end tag inside a nested table is not its. */
export function endTablePart(build: Build, tag: Tag): void {
  if (build.counts[tag.id] === 0) return;
  let place = currentContext(build);
  for (;;) {
    const open = build.tags[place];
    if (open === tag) break;
    if (open === undefined || place === 0 || (open.bits & BITS.tableScope) !== 0) return;
    // The parts of a table hold each other in one order only.
    place = build.contexts[place - 1] ?? 0;
  }
  truncate(build, place);
}

/** A start tag right in a table or a row, but no part of it. True if that is all. */
export function startInTable(
  build: Build,
  tag: Tag,
  attributes: Attributes,
): ElementNode | "done" | "fostered" {
  if (tag === TABLE) {
    const place = findInScope(build, TABLE, BITS.tableScope);
    if (place > 0) truncate(build, place);
    return "fostered";
  }
  if (tag.name === "style" || tag.name === "script") return addElement(build, tag, attributes);
  if (tag === TEMPLATE) {
    openElement(build, tag, attributes);
    return "done";
  }
  if (tag.start === "input" && attributes.get("type")?.toLowerCase() === "hidden") {
    addElement(build, tag, attributes);
    return "done";
  }
  if (tag.start !== "form") return "fostered";
  if (build.form === undefined && build.counts[TEMPLATE.id] === 0)
    build.form = addElement(build, tag, attributes);
  return "done";
}

/** A start tag in `select`, which holds options only. "ended": the tag ends the `select` and is to be read anew. */
export function startInSelect(
  build: Build,
  tag: Tag,
  attributes: Attributes,
): ElementNode | "done" | "ended" {
  if (tag === OPTION || tag === OPTGROUP || tag.start === "hr") {
    if (currentTag(build) === OPTION) truncate(build, build.nodes.length - 1);
    if (tag !== OPTION && currentTag(build) === OPTGROUP) truncate(build, build.nodes.length - 1);
    if (tag.start === "hr") addElement(build, tag, attributes);
    else openElement(build, tag, attributes);
    return "done";
  }
  if (tag.name === "script") return addElement(build, tag, attributes);
  if (tag === TEMPLATE) {
    openElement(build, tag, attributes);
    return "done";
  }
  const place = currentContext(build);
  if (tag === SELECT) {
    truncate(build, place);
    return "done";
  }
  const isEnd =
    tag.start === "input" ||
    tag.name === "keygen" ||
    tag.name === "textarea" ||
    (tag === TABLE && isInTable(build, place));
  if (!isEnd) return "done";
  truncate(build, place);
  return "ended";
}

export function endInSelect(build: Build, tag: Tag): void {
  const place = currentContext(build);
  const top = build.nodes.length - 1;
  if (tag === SELECT) truncate(build, place);
  else if (tag === OPTION && currentTag(build) === OPTION) truncate(build, top);
  else if (tag === OPTGROUP) {
    const isInGroup = currentTag(build) === OPTION && build.tags[top - 1] === OPTGROUP;
    if (isInGroup) truncate(build, top - 1);
    else if (currentTag(build) === OPTGROUP) truncate(build, top);
  }
}

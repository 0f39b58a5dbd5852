/**
 * Turns lines that begin with a bullet into list items, because many authors type bullets instead of marking up a list,
 * and drops bullets that are typed in the items of a list.
 */
import { HEADING_TAGS, type InlineSpan, type LabelledLine } from "../../document.js";
import { makeGroup, type Group, type Leaf, type Part } from "./blocks.js";
import { readListedRow } from "./table/listed-rows.js";

/** Signs that only list items begin with. Dashes are left out, because dialogue begins with them as well. */
const BULLET = /^([•●▪■◦‣]|[・･](?![・･]))\s*(?=\S)/u;
/** Blocks that are never turned into list items. */
const KEPT: ReadonlySet<string> = new Set(["pre", "tr", "td", "th", ...HEADING_TAGS]);
/** The least number of items; a single line may have a bullet as decoration. */
const LEAST_ITEMS = 2;

export function raiseBullets(parts: readonly Part[]): readonly Part[] {
  return parts.some(holdsBullet) ? raise(parts) : parts;
}

function holdsBullet(part: Part): boolean {
  if (part.kind === "leaf") return part.lines.some((line) => signOf(line) !== undefined);
  return part.holder.tag === "table" ? readListedRow(part) !== undefined : part.parts.some(holdsBullet);
}

function signOf({ block, text }: LabelledLine): string | undefined {
  return KEPT.has(block) ? undefined : BULLET.exec(text)?.[1];
}

function raise(parts: readonly Part[]): Part[] {
  const raised: Part[] = [];
  let open: { readonly sign: string; readonly leaves: Leaf[] } | undefined;
  let rows: Group | undefined;
  const close = (): void => {
    if (open !== undefined) raised.push(...toList(open.leaves));
    open = undefined;
  };
  for (const part of parts.flatMap(splitLeaf)) {
    const item = readListedRow(part);
    if (item !== undefined && rows !== undefined) {
      rows.parts.push(item);
      continue;
    }
    rows = item && makeGroup({ tag: "ul" }, [item]);
    if (rows !== undefined) {
      close();
      raised.push(rows);
      continue;
    }
    const sign = part.kind === "leaf" ? signOfAll(part) : undefined;
    if (part.kind === "leaf" && sign !== undefined) {
      if (open?.sign !== sign) {
        close();
        open = { sign, leaves: [] };
      }
      open.leaves.push(part);
      continue;
    }
    close();
    const isOpen = part.kind === "group" && part.holder.tag !== "table";
    raised.push(isOpen ? { ...part, parts: raise(leaveSigns(part)) } : part);
  }
  close();
  return raised;
}

/** The items of a list without the sign that each of them begins with, because a list has bullets of its own. */
function leaveSigns({ holder, parts }: Group): readonly Part[] {
  const signs = new Set(parts.map(signOfItem));
  const [sign] = signs;
  if (holder.tag !== "ul" || parts.length < LEAST_ITEMS || signs.size > 1 || sign === undefined) return parts;
  return parts.map((item) => {
    const [leaf, ...others] = item.kind === "group" ? item.parts : [];
    if (item.kind !== "group" || leaf?.kind !== "leaf") return item;
    return { ...item, parts: [{ ...leaf, lines: leaf.lines.map(withoutBullet) }, ...others] };
  });
}

/** The sign of an item whose first leaf is a single line. */
function signOfItem(item: Part): string | undefined {
  const leaf = item.kind === "group" ? item.parts[0] : undefined;
  return leaf?.kind === "leaf" && leaf.lines.length === 1 ? signOfAll(leaf) : undefined;
}

/** The sign that all lines of a leaf begin with. */
function signOfAll({ lines }: Leaf): string | undefined {
  const [first, ...others] = lines.map(signOf);
  return others.every((sign) => sign === first) ? first : undefined;
}

/** Separates several lines with bullets from the lines around them. */
function splitLeaf(part: Part): Part[] {
  if (part.kind === "group") return [part];
  const pieces: { readonly sign: string | undefined; readonly lines: LabelledLine[] }[] = [];
  for (const line of part.lines) {
    const sign = signOf(line);
    const last = pieces.at(-1);
    if (last !== undefined && last.sign === sign) last.lines.push(line);
    else pieces.push({ sign, lines: [line] });
  }
  const isList = pieces.some(({ sign, lines }) => sign !== undefined && lines.length >= LEAST_ITEMS);
  return isList ? pieces.map(({ lines }): Leaf => ({ kind: "leaf", lines })) : [part];
}

function toList(leaves: readonly Leaf[]): Part[] {
  const lines = leaves.flatMap((leaf) => leaf.lines);
  if (lines.length < LEAST_ITEMS) return [...leaves];
  const items = lines.map((line) =>
    makeGroup({ tag: "li" }, [{ kind: "leaf", lines: [withoutBullet(line)] }]),
  );
  return [makeGroup({ tag: "ul" }, items)];
}

function withoutBullet(line: LabelledLine): LabelledLine {
  const { links, spans } = line;
  const by = BULLET.exec(line.text)?.[0].length ?? 0;
  return {
    ...line,
    block: "li",
    text: line.text.slice(by),
    ...(links !== undefined && { links: moveBack(links, by) }),
    ...(spans !== undefined && { spans: moveBack(spans, by) }),
  };
}

/** Moves spans by the length of the bullet, and drops spans that held only the bullet. */
function moveBack<S extends Pick<InlineSpan, "start" | "end">>(spans: readonly S[], by: number): S[] {
  return spans
    .filter(({ start, end }) => start === end || end > by)
    .map((span) => ({ ...span, start: Math.max(0, span.start - by), end: Math.max(0, span.end - by) }));
}

/** Places the names of points beside them, where they cover neither a point nor another name. */
import { widthOf } from "../format.js";

export interface Point {
  /** In pixels of the chart. */
  readonly x: number;
  readonly y: number;
  readonly text: string;
}

export interface Frame {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface Place {
  readonly dx: number;
  readonly dy: number;
  readonly anchor: "start" | "middle" | "end";
}

/**
 * The assumed mean width of a character in a sans-serif font, in font sizes; slightly too wide, so that names stay
 * apart.
 */
const CHARACTER = 0.56;
/** The distance from the centre of a point to the edge of its name, in pixels. */
const GAP = 8;
const RADIUS = 5;

/**
 * Returns, for each point, in order of importance, the first free place where its name clearly belongs to it; undefined
 * if it has no free place.
 */
export function placeLabels(points: readonly Point[], frame: Frame, fontSize: number): (Place | undefined)[] {
  const taken: Frame[] = points.map(({ x, y }) => ({
    ...{ left: x - RADIUS, right: x + RADIUS, top: y - RADIUS, bottom: y + RADIUS },
  }));
  return points.map((point, index) => {
    const width = widthOf(point.text) * CHARACTER * fontSize;
    for (const place of places(fontSize)) {
      const box = boxOf(point, place, { width, height: fontSize });
      const isFree = taken.every((other, at) => at === index || !overlaps(box, other));
      if (!isFree || !contains(frame, box) || !isNearest(points, index, box)) continue;
      taken.push(box);
      return place;
    }
    return undefined;
  });
}

/** Returns the places to try, in order: right, left, above, below, then the corners, near ones first. */
function places(fontSize: number): Place[] {
  const rise = fontSize * 0.9;
  return [
    { dx: GAP, dy: 0, anchor: "start" },
    { dx: -GAP, dy: 0, anchor: "end" },
    { dx: 0, dy: -GAP - 4, anchor: "middle" },
    { dx: 0, dy: GAP + 4, anchor: "middle" },
    ...[1, 1.7].flatMap((step): Place[] => [
      { dx: GAP - 2, dy: -rise * step, anchor: "start" },
      { dx: GAP - 2, dy: rise * step, anchor: "start" },
      { dx: 2 - GAP, dy: -rise * step, anchor: "end" },
      { dx: 2 - GAP, dy: rise * step, anchor: "end" },
    ]),
  ];
}

function boxOf(
  point: Point,
  { dx, dy, anchor }: Place,
  size: { readonly width: number; readonly height: number },
): Frame {
  const share = { start: 0, middle: 0.5, end: 1 }[anchor];
  const left = point.x + dx - share * size.width;
  const top = point.y + dy - size.height / 2;
  return { left, top, right: left + size.width, bottom: top + size.height };
}

/**
 * Whether the name is at least as near to its own point as to any other; otherwise readers would assign it to the other
 * point.
 */
function isNearest(points: readonly Point[], index: number, box: Frame): boolean {
  const distance = ({ x, y }: Point): number =>
    Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom));
  const own = points[index];
  return own !== undefined && points.every((point, at) => at === index || distance(point) >= distance(own));
}

function overlaps(a: Frame, b: Frame): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

function contains(outer: Frame, inner: Frame): boolean {
  return (
    inner.left >= outer.left &&
    inner.right <= outer.right &&
    inner.top >= outer.top &&
    inner.bottom <= outer.bottom
  );
}

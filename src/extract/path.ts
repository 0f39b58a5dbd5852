/** An element into its path: tags with ids and classes, from `body` down. */
import type { ElementNode } from "../tree.js";

/** Characters of one step. Utility classes run to hundreds; the first few say what an element is. */
export const MAX_STEP = 80;

/** Steps of a path. What lies between the outermost and the innermost steps is left out and marked by "…". */
export const OUTER_STEPS = 8;
export const INNER_STEPS = 24;

/** Gives the path of an element; remembers the steps of one page. */
export function createPaths(): (element: ElementNode) => string {
  const steps = new Map<ElementNode, string>();
  const paths = new Map<ElementNode, string>();
  const stepOf = (element: ElementNode): string => {
    const known = steps.get(element) ?? formatStep(element);
    steps.set(element, known);
    return known;
  };
  return (element) => {
    const known = paths.get(element);
    if (known !== undefined) return known;
    const chain: string[] = [];
    for (let node: ElementNode | null = element; node !== null && isInPath(node); node = node.parent) {
      chain.push(stepOf(node));
    }
    chain.reverse();
    const path =
      chain.length <= OUTER_STEPS + INNER_STEPS
        ? chain.join(">")
        : [...chain.slice(0, OUTER_STEPS), "…", ...chain.slice(-INNER_STEPS)].join(">");
    paths.set(element, path);
    return path;
  };
}

function isInPath(element: ElementNode): boolean {
  return element.parent !== null && element.tag !== "html";
}

/** `tag#id.class.class`: whole names only, as many as fit; none with a `>`, which parts the steps. */
function formatStep(element: ElementNode): string {
  let step = element.tag.slice(0, MAX_STEP);
  const id = element.attributes.get("id")?.trim() ?? "";
  if (id !== "" && !/[\s>]/.test(id) && step.length + id.length < MAX_STEP) step += `#${id}`;
  const names = element.attributes.get("class")?.slice(0, 4 * MAX_STEP) ?? "";
  for (const name of names.split(/\s+/)) {
    if (name === "" || name.includes(">")) continue;
    if (step.length + name.length >= MAX_STEP) break;
    step += `.${name}`;
  }
  return step;
}

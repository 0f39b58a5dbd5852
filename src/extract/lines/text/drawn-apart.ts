/** Checks whether class names or styles say that two texts side by side are drawn apart. */
import type { ElementNode, TextNode, TreeNode } from "../../../document/tree.js";
import { UNSPACED } from "../../../language/words.js";
import { classOf } from "../../bounded-attributes.js";
import { isForScreenReaders } from "../visible/for-listeners.js";
import { isFlexibleByStyle } from "../visible/visible.js";

/** Class names of boxes whose children are blocks (CSS Flexbox, section 4): of Bootstrap, Tailwind and Bulma. */
const FLEXIBLE = /(?:^|\s)(?:d-|is-)?(?:inline-)?(?:flex|grid)(?=\s|$)/;
/**
 * Class names of blocks, floats, labels and buttons, and of elements with space around them, in the same libraries, and
 * of labels of Doxygen, TypeDoc, pkg.go.dev and ExDoc.
 */
const APART =
  /(?:^|\s)(?:(?:d-|is-|display-)?(?:block|flex|grid)|(?:pull|float)-(?:left|right|start|end)|badge|m?label|(?:tsd-)?tag|Documentation-deprecatedTag|app-vsn|btn|button|[mp][lrsex]-[1-9]\d?)(?=\s|$)/;

/** Class names of empty elements that are drawn as a space, a rule, a dot or a picture between two texts. */
const BETWEEN =
  /space|separator|divider|delimiter|icon|arrow|bullet|sprite|(?:^|[\s_-])(?:sep|dot|fa)(?![\p{L}\p{N}])/iu;
/** The children of an element in which such elements are looked for. */
const MAX_CHILDREN = 200;

/** A text of one letter or digit, with the quote before it, may be a part of a word that is drawn letter by letter. */
const LONE = /^["'“‘«„]*[\p{L}\p{N}]?$/u;
const END = /[\p{L}\p{N}.!?)%]$/u;
const START = /^[\p{L}\p{N}(]/u;
/** Class names in words, unlike those of editors that cut words in pieces: "review-date", "ingredient__name". */
const IN_WORDS = /(?:^|\s)[a-z]{2,}(?:[_-]{1,2}[a-z]{2}|[A-Z][a-z])/;
const WORD_END = /\p{L}{2}$/u;
const WORD_START = new RegExp(`^(?:(?![${UNSPACED}])\\p{L}){2}`, "u");
/** Elements around each text that are looked at. */
const MAX_AROUND = 6;

/**
 * Checks whether a text is drawn apart from the text before it: by class names, by the style of the box around both, or
 * by an empty element between them.
 */
export function isDrawnApart(
  { node: last, tail }: { readonly node: TextNode; readonly tail: string },
  next: TextNode,
  text: string,
): boolean {
  if (!END.test(tail) || !START.test(text) || LONE.test(tail) || LONE.test(text)) return false;
  if (WORD_END.test(tail) && WORD_START.test(text) && areNamedApart(last.parent, next.parent)) return true;
  const left = openAround(last.parent);
  const right = openAround(next.parent);
  const around = right.find((element) => left.includes(element));
  if (around === undefined) return false;
  if (FLEXIBLE.test(classOf(around)) || isFlexibleByStyle(around)) return true;
  const before = left.slice(0, left.indexOf(around));
  const after = right.slice(0, right.indexOf(around));
  if (isAcross(around, before.at(-1) ?? last, after.at(-1) ?? next)) return true;
  // Words for screen readers may also end a word that others see cut short.
  const mayEndWord = /^\p{Ll}/u.test(text);
  return (
    before.some((element) => isNamedApart(element, true)) ||
    after.some((element) => isNamedApart(element, !mayEndWord))
  );
}

function isNamedApart(element: ElementNode, mayBeHeard: boolean): boolean {
  const names = classOf(element);
  return names !== "" && (APART.test(names) || (mayBeHeard && isForScreenReaders(names)));
}

/**
 * Checks whether two siblings have names of their own, as a name and a date have, or an amount and a thing, or one has
 * such a name and the other is a link: a label and a name. (On 5,138 pages 21 sites have words in siblings with names,
 * and no word goes on in them.)
 */
function areNamedApart(one: ElementNode | null, other: ElementNode | null): boolean {
  if (one === null || other === null || one.parent !== other.parent) return false;
  const [first, second] = [classOf(one), classOf(other)];
  if (first === second) return false;
  return IN_WORDS.test(first)
    ? other.tag === "a" || IN_WORDS.test(second)
    : one.tag === "a" && IN_WORDS.test(second);
}

function openAround(element: ElementNode | null): ElementNode[] {
  const found: ElementNode[] = [];
  for (let open = element; open !== null && found.length < MAX_AROUND; open = open.parent) found.push(open);
  return found;
}

/** Checks whether there is an empty element between two children that is drawn as a mark or a space. */
function isAcross({ children }: ElementNode, left: TreeNode, right: TreeNode): boolean {
  if (children.length > MAX_CHILDREN) return false;
  const between = children.slice(children.indexOf(left) + 1, children.indexOf(right));
  return between.some(
    (node) => node.kind === "element" && node.children.length === 0 && BETWEEN.test(classOf(node)),
  );
}

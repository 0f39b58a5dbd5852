/** Finds the TeX of a formula in MathML, KaTeX and MathJax, and in the markup and images of wikis. */
import type { ElementNode } from "../../../document/tree.js";
import { findElement, textOf } from "../../elements.js";
import { replaceHalfPairs } from "../../lines/text/characters.js";
import { decodePercent } from "../../percent.js";
import { writeTex } from "./mathml.js";
import type { Meaning } from "../spans.js";

/** The largest length of a formula in characters. */
const MAX_TEX = 5_000;

/** Class names of elements that are one formula as a whole. */
export const FORMULA_CLASS =
  /(?:^|\s)(?:katex-display|katex|mwe-math-element|MathJax(?:_Display|_CHTML|_SVG|_SVG_Display|_Preview)?|math-tex|math-container|js-inline-math|js-display-math|latex-rendered|ltx_Math|mathjax-tex|ztext-math|arithmatex|js-render-math|language-math)(?:$|\s)|^math(?: (?:inline|display|notranslate|nohighlight))*$/;
const DISPLAY_CLASS =
  /(?:^|\s)(?:katex-display|mwe-math-element-block|MathJax_Display|MathJax_SVG_Display|js-display-math|display)(?:$|\s)/;
const IMAGE_CLASS = /(?:^|[\s_-])(?:mwe-math-fallback-image\S*|tex|latex|math)(?:$|[\s_-])/;

/**
 * The TeX of an element that is a formula; a dropped span for the drawing of MathJax 2; undefined for other elements.
 */
export function readFormula(element: ElementNode): Meaning | undefined {
  const { tag, namespace, attributes } = element;
  if (tag === "script") return readScript(element);
  const names = (attributes.get("class") ?? "").slice(0, 300);
  if (tag === "img")
    return readHabr(element, names) ?? readImage(attributes.get("alt"), names) ?? readRendered(element);
  if (namespace === "mathml" && tag === "math") return readMath(element);
  // WeChat and mdnice draw a formula in SVG, and keep its source beside.
  const kept = attributes.get("data-formula");
  if (kept !== undefined && findElement(element, (inner) => /^(?:svg|embed)$/.test(inner.tag)) !== undefined)
    return toFormula(kept, attributes.get("data-formula-type") === "block-equation" ? "display" : "");
  if (tag !== "mjx-container" && !FORMULA_CLASS.test(names)) return undefined;
  // GitLab, Gitea and remark write the source as code, which a script draws.
  if (tag === "code") {
    const style = attributes.get("data-math-style") ?? names;
    return toFormula(textOf(element, MAX_TEX, "raw"), style);
  }
  // MathJax 2 puts the script with the source beside its drawing, and the source is better.
  if (/^MathJax/.test(names) && hasScriptBeside(element)) return { kind: "drop" };
  const isDisplay = DISPLAY_CLASS.test(names) || attributes.get("display") === "true";
  const tex = attributes.get("data-tex");
  if (tex !== undefined) return toFormula(tex, names);
  const stored = attributes.get("data-attrs");
  if (stored !== undefined) return readStored(stored);
  const math = findElement(element, (inner) => inner.tag === "math" && inner.namespace === "mathml");
  const found = math === undefined ? undefined : readMath(math);
  if (found?.tex !== undefined) return isDisplay ? { ...found, isDisplay } : found;
  const spoilt = findElement(element, (inner) => inner.attributes.get("class") === "katex-mathml");
  if (spoilt !== undefined) return toFormula(texOfFlat(spoilt), names);
  const image = findElement(element, (inner) => inner.tag === "img" && inner.attributes.has("alt"));
  if (image !== undefined) return toFormula(image.attributes.get("alt"), names);
  return readDelimited(textOf(element, MAX_TEX, "raw"));
}

/** CSDN drops the tags of MathML. The texts of its elements are apart, and the last one is the TeX of the formula. */
export function texOfFlat(mathml: ElementNode): string | undefined {
  return textOf(mathml, MAX_TEX, "raw").trim().split(BLANK_LINES).at(-1);
}

const BLANK_LINES = /\n\s*\n\s*/;

/** Habr draws formulas as images with the source as `alt`, which old posts have in marks. */
function readHabr({ attributes }: ElementNode, names: string): Meaning | undefined {
  const alt = attributes.get("alt") ?? "";
  const marked = /^(\$inline\$|\$\$display\$\$)([^]*)\1$/.exec(alt);
  if (marked !== null) return toFormula(marked[2], marked[1] === "$inline$" ? "" : "display");
  const isFormula =
    /^formula(?:\s|$)/.test(names) && attributes.get("src")?.includes("//habrastorage.org/") === true;
  if (!isFormula) return undefined;
  return toFormula(alt, names === "formula" ? "display" : "");
}

/** LaTeX2HTML draws each formula as an image whose `alt` is the LaTeX source of the document. */
const DISPLAYED = /^\s*\\begin\{displaymath\}([^]*)\\end\{displaymath\}\s*$/;
const NUMBERED_IMAGE = /^\s*\\begin\{(?:equation|eqnarray|align|gather|multline)\*?\}[^]*\}\s*$/;

function readImage(alt: string | undefined, names: string): Meaning | undefined {
  if (alt === undefined) return undefined;
  if (IMAGE_CLASS.test(names)) return toFormula(alt, names);
  if (!/^\s*[$\\]/.test(alt)) return undefined;
  const displayed = DISPLAYED.exec(alt)?.[1];
  if (displayed !== undefined) return toFormula(displayed, "display");
  return NUMBERED_IMAGE.test(alt) ? toFormula(alt, "display") : readDelimited(alt);
}

/** Addresses of services that draw the TeX in the address: CodeCogs, mimeTeX, Zhihu, GitHub, WordPress and Google. */
const RENDERED =
  /\/\/latex\.codecogs\.com\/[\w.]+\?(?<raw>(?:[^&#]|&(?:space|plus);)+)|\/(?:mimetex|mathtex)\.cgi\?(?<cgi>[^#]+)|(?:\/equation\?tex|\/math\?math|\/latex\.php\?latex|\/chart\?cht=tx&chl)=(?<value>[^&#]+)/;
/** What CodeCogs writes before a formula to set its size and colours. */
const SETTINGS = /^(?:\s|\\(?:dpi\{\d+\}|bg_\w+|fn_\w+|(?:inline|large|LARGE|huge|small)(?![a-zA-Z])))+/;

function readRendered({ attributes }: ElementNode): Meaning | undefined {
  const src = (attributes.get("src") ?? "").slice(0, MAX_TEX);
  if (!src.includes("?")) return undefined;
  const { raw, cgi, value } = RENDERED.exec(src)?.groups ?? {};
  const tex = raw?.replaceAll("&space;", " ").replaceAll("&plus;", "+") ?? cgi ?? value?.replaceAll("+", " ");
  return tex === undefined ? undefined : toFormula(decodePercent(tex).replace(SETTINGS, ""), "");
}

/** Reads the TeX of a `<math>`: its annotation or `alttext`, and otherwise TeX that is written from its elements. */
function readMath(math: ElementNode): Meaning | undefined {
  const note = findElement(
    math,
    ({ tag, attributes }) => tag === "annotation" && /tex/i.test(attributes.get("encoding") ?? ""),
  );
  const stated = note === undefined ? math.attributes.get("alttext") : textOf(note, MAX_TEX, "raw");
  const isDisplay = math.attributes.get("display") === "block";
  return toFormula(stated ?? writeTex(math), isDisplay ? "display" : "");
}

/** MathJax 2 keeps the source in a script after its drawing. */
function readScript(script: ElementNode): Meaning | undefined {
  const type = script.attributes.get("type") ?? "";
  if (!/^\s*math\/tex/i.test(type)) return undefined;
  return toFormula(textOf(script, MAX_TEX, "raw"), /mode\s*=\s*display/i.test(type) ? "display" : "");
}

/**
 * The number of nodes after an element that are checked; elements with more siblings than the second number are
 * skipped.
 */
const MAX_BESIDE = 3;
const MAX_SIBLINGS = 2_000;

function hasScriptBeside(element: ElementNode): boolean {
  const siblings = element.parent?.children ?? [];
  if (siblings.length > MAX_SIBLINGS) return false;
  const at = siblings.indexOf(element) + 1;
  return siblings
    .slice(at, at + MAX_BESIDE)
    .some((child) => child.kind === "element" && child.tag === "script" && readScript(child) !== undefined);
}

/** Substack keeps the source as JSON in an attribute, and renders it in the browser. */
function readStored(attributes: string): Meaning | undefined {
  const tex = /"persistentExpression"\s*:\s*"((?:[^"\\]|\\.){1,5000})"/s.exec(attributes)?.[1];
  // An escape may stand for half a pair.
  const source = tex?.replace(/\\(?:u([\da-f]{4})|(.))/gis, unescapeJson);
  return toFormula(source && replaceHalfPairs(source), "display");
}

function unescapeJson(_escape: string, hex: string | undefined, character: string): string {
  if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
  return /[nrt]/.test(character) ? " " : character;
}

/** Reads `\(x\)`, `$x$`, `\[x\]` or `$$x$$`, which a generator leaves for a script. */
function readDelimited(text: string): Meaning | undefined {
  const inline = /^\s*(?:\\\(([^]+)\\\)|\$([^$]+)\$)\s*$/.exec(text);
  if (inline !== null) return toFormula(inline[1] ?? inline[2], "");
  const display = NUMBERED.exec(text)?.groups;
  const { number, brackets, dollars } = display ?? {};
  const tex = brackets ?? dollars;
  const isNumbered =
    number !== undefined && tex !== undefined && !/\\tag\b|\\begin\{(?:align|gather|eqnarray)/.test(tex);
  return toFormula(isNumbered ? `${tex.trim()} \\tag{${number}}` : tex, "display");
}

/** A display formula; Sphinx writes its number with an anchor before it, which is an icon in Read the Docs' theme. */
const NUMBERED =
  /^\s*(?:\((?<number>[\w.-]{1,20})\)\s*(?:[¶#\uf0c1]\s*)?)?(?:\\\[(?<brackets>[^]+)\\\]|\$\$(?<dollars>[^]+)\$\$)\s*$/;

function toFormula(source: string | undefined, names: string): Meaning | undefined {
  if (source === undefined) return undefined;
  const tex = cleanTex(source);
  if (tex === "" || tex.length >= MAX_TEX) return undefined;
  return DISPLAY_CLASS.test(names) ? { kind: "math", tex, isDisplay: true } : { kind: "math", tex };
}

/** Removes the wrapper that wikis put around every formula (`{\displaystyle …}`). */
function cleanTex(source: string): string {
  const text = source
    .replace(/^\s*<!\[CDATA\[|\]\]>\s*$|%\s*$/g, "")
    .replace(/\s+/g, " ")
    .trim();
  const styled = /^\{\\(?:displaystyle|textstyle)\s?([^]*)\}$/.exec(text)?.[1];
  return (styled ?? text).trim();
}

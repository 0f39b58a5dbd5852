/**
 * Removes the bar above a code block, which is no text: it holds the name of the language, or a button to copy the
 * code.
 */
import { CODE_LANGUAGES } from "../../../language/code-languages.js";
import type { Group, Leaf, Part } from "../blocks.js";

/** Languages of fences by the names that bars show. */
const LANGUAGES: ReadonlyMap<string, string> = new Map([
  ...CODE_LANGUAGES.map((name) => [name, name] as const),
  ["c++", "cpp"],
  ["c#", "csharp"],
  ["yml", "yaml"],
]);

/** Other names of the same language. */
const SAME: ReadonlyMap<string, string> = new Map([
  ["js", "javascript"],
  ["ts", "typescript"],
  ["py", "python"],
  ["rb", "ruby"],
  ["sh", "bash"],
  ["shell", "bash"],
  ["zsh", "bash"],
  ["yml", "yaml"],
  ["xml", "html"],
]);

const COPY =
  /(?:^|\s)(?:copy(?: code| to clipboard)?|copied!?|copier|kopieren|copiar|copia|копировать|复制(?:代码)?|コピー)$/i;
/** The words of phpBB and SMF for "select" after the word for code, in the languages of their larger boards. */
const SELECT =
  /\s*:?\s+(?:\[(?:select|auswählen|sélectionner|seleccionar|selecionar|seleziona|selecteer|выделить|zaznacz)\]|select expand|select all|alles auswählen|tout sélectionner|seleccionar todo|selecionar tudo|seleziona tutto|alles selecteren|выделить всё|zaznacz cały|markera allt)$/i;
/** The word for code in forums, alone or with a language: "Code:", "PHP-Code:". */
const CODE = /^(?:(\S+)[\s-])?(?:code|código|codice|код|kod|kód)\s*:$/i;
/** The largest length of a bar in characters. */
const MAX_BAR = 24;

/** Removes the bars. Code after a bar gets the language of the bar if the page names no other one. */
export function leaveBars(parts: readonly Part[]): readonly Part[] {
  // A quick test, because most pages have no code.
  return parts.some(holdsCode) ? leave(parts) : parts;
}

function holdsCode(part: Part): boolean {
  return isCode(part) || (part.kind === "group" && part.parts.some(holdsCode));
}

function leave(parts: readonly Part[]): Part[] {
  const kept: Part[] = [];
  let bar: string | undefined;
  for (const part of parts) {
    const inner = part.kind === "group" ? { ...part, parts: leave(part.parts) } : part;
    if (bar !== undefined && isCode(inner)) {
      const named = nameCode(inner, bar);
      if (named !== undefined) kept.pop();
      kept.push(named ?? inner);
    } else kept.push(inner);
    bar = readBar(part);
  }
  return kept;
}

function isCode(part: Part): boolean {
  if (part.kind === "group") return part.holder.tag === "pre";
  return part.lines[0]?.block === "pre";
}

/** The text of a paragraph that may be a bar. */
function readBar(part: Part): string | undefined {
  if (part.kind === "group") return undefined;
  const [line, other] = part.lines;
  if (line === undefined || other !== undefined || line.text.length > MAX_BAR) return undefined;
  const isWords = /^(?:p|div|dt|section|figure|header|body|article|main|li)$/.test(line.block);
  // Emphasised text is the title of a tab, or of the text below.
  return isWords && line.spans === undefined ? line.text : undefined;
}

/** The code with its language; undefined if the words above it are no bar. */
function nameCode(code: Group | Leaf, bar: string): Group | Leaf | undefined {
  const name = bar.replace(COPY, "").replace(SELECT, ":").replace(CODE, "$1").trim().toLowerCase();
  if (name === "") return code;
  const lang = LANGUAGES.get(name);
  if (code.kind === "leaf") return undefined;
  const stated = code.holder.lang?.toLowerCase();
  if (stated === undefined)
    return lang === undefined ? undefined : { ...code, holder: { ...code.holder, lang } };
  const isSame = stated === name || sameOf(stated) === sameOf(lang ?? name);
  return isSame ? code : undefined;
}

function sameOf(name: string): string {
  return SAME.get(name) ?? name;
}

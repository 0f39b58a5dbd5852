/** Finds the language of code by what highlighters write into classes and attributes. */
import type { ElementNode } from "../../tree.js";

/** Elements around a `pre` that may name its language, at most. */
const MAX_OUTER = 3;
const MAX_CLASS = 300;

const PREFIXED =
  /(?:^|\s)(?:language|lang|highlight-source|highlight-text|highlight|brush:|sourceCode|prettyprint lang|code)[-:\s_]\s?([a-z][a-z0-9+#.-]{0,24})/i;
const ATTRIBUTES = [
  "data-lang",
  "data-language",
  "data-code-language",
  "data-code-lang",
  "lang-name",
] as const;

/** Languages that a class names by itself: `<pre class="python">`, `<code class="hljs bash">`. */
const NAMES: ReadonlySet<string> = new Set(
  "bash c cpp csharp css clojure dart diff docker dockerfile elixir elm erlang fortran go golang graphql haskell html http ini java javascript js json jsx julia kotlin latex less lisp lua makefile markdown matlab nginx nix objectivec ocaml perl php powershell prolog protobuf py python r rb ruby rs rust sass scala scheme scss sh shell sql svelte swift toml ts tsx typescript vim vue xml yaml yml zig zsh console pycon ipython3".split(
    " ",
  ),
);
/** What highlighters call the lack of a language. */
const NONE =
  /^(?:none|plain|plaintext|text|txt|nohighlight|auto|default|notranslate|block|box|snippet|wrapper|toolbar|copy|example|container|content|body|view|area|line|lines|inline|source|listing|editor|header|title)$/i;

/** Undefined where the page does not say it. */
export function findCodeLanguage(pre: ElementNode): string | undefined {
  const [code] = pre.children.filter((child) => child.kind === "element");
  const inner =
    code?.kind === "element" && (code.tag === "code" || code.tag === "samp") ? readLanguage(code) : undefined;
  let found = inner ?? readLanguage(pre);
  let outer = pre.parent;
  for (let step = 0; found === undefined && outer !== null && step < MAX_OUTER; step += 1) {
    // What holds more than this piece of code says nothing of it.
    if (outer.tag === "body" || outer.tag === "article" || outer.tag === "main") return undefined;
    found = readLanguage(outer);
    outer = outer.parent;
  }
  return found;
}

function readLanguage({ tag, attributes }: ElementNode): string | undefined {
  if (attributes.size === 0) return undefined;
  for (const name of ATTRIBUTES) {
    const value = attributes.get(name);
    if (value !== undefined && isLanguage(value)) return value.toLowerCase();
  }
  const names = (attributes.get("class") ?? "").slice(0, MAX_CLASS);
  const prefixed = PREFIXED.exec(names)?.[1];
  if (prefixed !== undefined && isLanguage(prefixed)) return prefixed.toLowerCase();
  if (tag !== "pre" && tag !== "code") return undefined;
  return names
    .toLowerCase()
    .split(/\s+/)
    .find((name) => NAMES.has(name));
}

function isLanguage(value: string): boolean {
  return /^[a-z][a-z0-9+#.-]{0,24}$/i.test(value) && !NONE.test(value);
}

/** Writes presentation MathML as TeX, for formulas whose page does not give their TeX source. */
import type { ElementNode } from "../../../document/tree.js";
import { textOf } from "../../elements.js";

/** The largest depth of nested elements, and the largest number of elements in a formula. */
const MAX_DEPTH = 40;
const MAX_NODES = 2_000;

/** TeX commands by the character that they draw; characters of the keyboard need no command. */
const COMMANDS: ReadonlyMap<string, string> = new Map(
  (
    "α alpha β beta γ gamma δ delta ε varepsilon ϵ epsilon ζ zeta η eta θ theta ϑ vartheta ι iota κ kappa λ lambda μ mu ν nu ξ xi π pi ρ rho σ sigma ς varsigma τ tau υ upsilon φ varphi ϕ phi χ chi ψ psi ω omega " +
    "Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Υ Upsilon Φ Phi Ψ Psi Ω Omega " +
    "∑ sum ∏ prod ∫ int ∬ iint ∮ oint ∂ partial ∇ nabla ∞ infty √ sqrt ± pm ∓ mp × times ÷ div ⋅ cdot · cdot ∘ circ ∗ ast ⊕ oplus ⊗ otimes " +
    "≤ leq ⩽ leq ≥ geq ⩾ geq ≠ neq ≈ approx ≡ equiv ∼ sim ≃ simeq ≅ cong ∝ propto ≪ ll ≫ gg ≺ prec ≻ succ " +
    "∈ in ∉ notin ∋ ni ⊂ subset ⊆ subseteq ⊃ supset ⊇ supseteq ∪ cup ∩ cap ∅ emptyset ∖ setminus ∧ land ∨ lor ¬ neg ∀ forall ∃ exists ⊥ perp ∥ parallel ∣ mid " +
    "→ to ← leftarrow ↔ leftrightarrow ⇒ Rightarrow ⇐ Leftarrow ⇔ Leftrightarrow ↦ mapsto ⟶ longrightarrow ↑ uparrow ↓ downarrow " +
    "… ldots ⋯ cdots ⋮ vdots ⋱ ddots ⟨ langle ⟩ rangle ⌊ lfloor ⌋ rfloor ⌈ lceil ⌉ rceil ‖ | ′ prime ℓ ell ℏ hbar ℜ Re ℑ Im ℵ aleph † dagger"
  )
    .split(" ")
    .flatMap((word, at, words) => (at % 2 === 0 ? [[word, `\\${words[at + 1] ?? ""}`] as const] : [])),
);

/** Names of functions that are TeX commands. */
const FUNCTIONS =
  /^(?:sin|cos|tan|cot|sec|csc|sinh|cosh|tanh|arcsin|arccos|arctan|log|ln|exp|lim|max|min|sup|inf|det|dim|ker|gcd|deg|arg|Pr)$/;
const ACCENTS: ReadonlyMap<string, string> = new Map([
  ["^", "hat"],
  ["ˆ", "hat"],
  ["~", "tilde"],
  ["˜", "tilde"],
  ["¯", "bar"],
  ["‾", "bar"],
  ["―", "bar"],
  ["→", "vec"],
  ["⃗", "vec"],
  ["˙", "dot"],
  [".", "dot"],
  ["¨", "ddot"],
  ["⏞", "overbrace"],
]);

const BINOMIAL = /\(\{(\{[^{}]*\}) \\atop (\{[^{}]*\})\}\)/g;

interface Writing {
  nodes: number;
}

/** The TeX of a formula; undefined if it is empty or too large. */
export function writeTex(math: ElementNode): string | undefined {
  const writing: Writing = { nodes: 0 };
  const tex = writeRow(childrenOf(math), writing, 0).trim().replace(BINOMIAL, "\\binom$1$2");
  return tex === "" || writing.nodes > MAX_NODES ? undefined : tex;
}

function childrenOf({ children }: ElementNode): ElementNode[] {
  return children.filter((child) => child.kind === "element");
}

function writeRow(elements: readonly ElementNode[], writing: Writing, depth: number): string {
  let tex = "";
  let isCommandLast = false;
  for (const element of elements) {
    const part = writeElement(element, writing, depth);
    if (part === "") continue;
    // A space ends a command before a letter.
    tex += isCommandLast && /^[a-z]/i.test(part) ? ` ${part}` : part;
    isCommandLast = /\\[a-z]+$/i.test(part);
  }
  return tex;
}

function writeElement(element: ElementNode, writing: Writing, depth: number): string {
  writing.nodes += 1;
  if (depth > MAX_DEPTH || writing.nodes > MAX_NODES) return "";
  const parts = childrenOf(element);
  const group = (at: number): string => {
    const part = parts[at];
    return part === undefined ? "{}" : `{${writeElement(part, writing, depth + 1).trim()}}`;
  };
  const base = (): string => {
    const [part] = parts;
    const tex = part === undefined ? "" : writeElement(part, writing, depth + 1);
    return /^(?:.|\\[a-z]+)$/is.test(tex) ? tex : `{${tex}}`;
  };
  switch (element.tag) {
    case "mi":
    case "mn":
    case "mo":
      return writeToken(element);
    case "mtext":
    case "ms":
      return `\\text{${textOf(element, 500).replace(/[\\{}$%#&_^~]/g, " ")}}`;
    case "mspace":
      return " ";
    case "mfrac":
      return isBinomial(element) ? `{${group(0)} \\atop ${group(1)}}` : `\\frac${group(0)}${group(1)}`;
    case "msqrt":
      return `\\sqrt{${writeRow(parts, writing, depth + 1)}}`;
    case "mroot":
      return `\\sqrt[${group(1).slice(1, -1)}]${group(0)}`;
    case "msup":
      return `${base()}^${group(1)}`;
    case "msub":
    case "munder":
      return `${base()}_${group(1)}`;
    case "msubsup":
    case "munderover":
      return `${base()}_${group(1)}^${group(2)}`;
    case "mover":
      return writeOver(parts, group, base);
    case "mfenced":
      return writeFenced(element, parts, writing, depth);
    case "mtable":
      return `\\begin{matrix}${parts
        .map((row) =>
          childrenOf(row)
            .map((cell) => writeRow(childrenOf(cell), writing, depth + 2))
            .join(" & "),
        )
        .join(" \\\\ ")}\\end{matrix}`;
    case "annotation":
    case "annotation-xml":
    case "mphantom":
      return "";
    default:
      return writeRow(parts, writing, depth + 1);
  }
}

function isBinomial({ attributes }: ElementNode): boolean {
  return /^0(?:\D|$)/.test(attributes.get("linethickness") ?? "");
}

function writeOver(parts: readonly ElementNode[], group: (at: number) => string, base: () => string): string {
  const over = parts[1] === undefined ? "" : textOf(parts[1], 10);
  const accent = ACCENTS.get(over);
  return accent === undefined ? `${base()}^${group(1)}` : `\\${accent}${group(0)}`;
}

function writeFenced(
  { attributes }: ElementNode,
  parts: readonly ElementNode[],
  writing: Writing,
  depth: number,
): string {
  const inner = parts
    .map((part) => writeElement(part, writing, depth + 1))
    .join(attributes.get("separators") ?? ",");
  return `${attributes.get("open") ?? "("}${inner}${attributes.get("close") ?? ")"}`;
}

function writeToken(element: ElementNode): string {
  const text = textOf(element, 200);
  const variant = element.attributes.get("mathvariant");
  if (element.tag === "mi" && FUNCTIONS.test(text)) return `\\${text} `;
  const tex = Array.from(text, writeCharacter).join("");
  if (variant === "bold") return `\\mathbf{${tex}}`;
  if (variant === "double-struck") return `\\mathbb{${tex}}`;
  if (element.tag === "mi" && text.length > 1 && /^[a-z]+$/i.test(text)) return `\\operatorname{${text}}`;
  return tex;
}

/** Writes a character in TeX: nothing for invisible operators, and the keyboard's minus sign for U+2212. */
function writeCharacter(character: string): string {
  if (/[\u2061-\u2064\u200b]/.test(character)) return "";
  if (character === "−") return "-";
  if (/[{}$%#&_]/.test(character)) return `\\${character}`;
  if (character === "\\") return "\\backslash ";
  const command = COMMANDS.get(character);
  return command === undefined ? character : `${command} `;
}

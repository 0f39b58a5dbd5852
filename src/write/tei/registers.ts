/** Formats the registers of a text for its TEI header: references to categories, and the taxonomy that defines them. */
import {
  REGISTERS,
  REGISTER_TITLES,
  SUBREGISTERS,
  type Register,
  type RegisterVerdict,
  type Subregister,
} from "../../document.js";

const category = (name: Register | Subregister, inside = ""): string =>
  `<category xml:id="register-${name}"><catDesc>${REGISTER_TITLES[name]}</catDesc>${inside}</category>`;

const SUBS = Object.entries(SUBREGISTERS) as [Subregister, Register][]; // entries of a literal: its keys are the names
const CATEGORIES = REGISTERS.map((name) =>
  category(name, SUBS.flatMap(([sub, main]) => (main === name ? [category(sub)] : [])).join("")),
).join("");
const MACHINE =
  '<category xml:id="register-MT"><catDesc>written or translated by a machine</catDesc></category>';

export const REGISTER_TAXONOMY =
  '<taxonomy xml:id="registers"><desc>What kind of text a text is, by the registers of CORE; cert on a reference is the probability of it.</desc>' +
  `${CATEGORIES}${MACHINE}</taxonomy>`;

/**
 * From this probability on a text is listed as machine-written. Readers who ignore `cert` must not take all texts for
 * that.
 */
const LIKELY = 0.5;

/** Formats references to the registers of the text, each with its probability. */
export function formatCategories({ main, sub, machine, found }: RegisterVerdict): string {
  const probabilities: Readonly<Record<string, number>> = { ...main, ...sub, MT: machine };
  const names = [...found, ...(machine >= LIKELY ? ["MT"] : [])];
  if (names.length === 0) return "";
  const references = names.map(
    (name) => `<catRef scheme="#registers" target="#register-${name}" cert="${probabilities[name] ?? 0}"/>`,
  );
  return references.join("");
}

/**
 * Filters by the kind of a text: `machine-text` is the second step of Register Oscar (Laippala et al. 2022, section 3),
 * which drops texts that a machine wrote or translated; `register` keeps texts of the named registers.
 */
import { REGISTERS, SUBREGISTER_NAMES, type Register, type Subregister } from "../document.js";
import { KEEP, type Filter, type Measure } from "./filter.js";

export const REGISTER_MEASURES = {
  "machine-text": {
    says: "P(machine-generated or machine-translated)",
    side: "at most",
    limit: 0.9,
    needsRegisters: true,
    measure: ({ document }) => document.registers?.machine,
  },
} satisfies Readonly<Record<string, Measure>>;

/** A register or a subregister, as the filter `register` names it. */
export type RegisterName = Register | Subregister;
export const REGISTER_NAMES: readonly RegisterName[] = [...REGISTERS, ...SUBREGISTER_NAMES];

/**
 * Makes a filter for registers. A text without a certain register is rejected: a user who wants news does not want a
 * text that only may be news.
 */
export function createRegisterFilter(wanted: readonly RegisterName[]): Filter {
  return {
    name: "register",
    judge({ document: { registers } }) {
      const found = registers?.found ?? [];
      if (found.some((name) => wanted.includes(name))) return KEEP;
      const has = found.length === 0 ? "none for certain" : found.join(", ");
      return { keep: false, reason: "filtered", detail: `register: ${has}, wanted ${wanted.join(" or ")}` };
    },
  };
}

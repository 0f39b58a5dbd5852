/** Tests the filters that use the registers of a document. */
import { describe, expect, it } from "vitest";
import { REGISTERS, type RegisterVerdict } from "../../src/document.js";
import { needsRegisters } from "../../src/filter/options.js";
import { resolveCleanOptions } from "../../src/options/options.js";
import { judgeAll, makeDocument, tell } from "./documents.js";

const NONE = { preset: "none", filters: {} } as const;

function verdict(found: RegisterVerdict["found"], machine = 0.01): RegisterVerdict {
  const main = Object.fromEntries(REGISTERS.map((name) => [name, found.includes(name) ? 0.8 : 0.05]));
  const sub = { ne: 0.1, sr: 0, nb: 0, dtp: 0, rv: 0, ob: 0, rs: 0, av: 0, ds: 0 };
  return { main: main as RegisterVerdict["main"], sub, machine, found }; // every register has a value
}

const document = (registers?: RegisterVerdict): ReturnType<typeof makeDocument> => ({
  ...makeDocument(["A text of some words."]),
  ...(registers && { registers }),
});

async function judge(
  registers: RegisterVerdict | undefined,
  filters: Parameters<typeof judgeAll>[1]["filters"] & object,
): Promise<string> {
  const [outcome] = await judgeAll([document(registers)], { filters });
  return tell(outcome);
}

describe("the filter register", () => {
  it("keeps a document of one of the wanted registers, main or sub", async () => {
    expect(await judge(verdict(["NA", "IN"]), { register: ["IN"] })).toBe("kept");
    expect(await judge(verdict(["NA", "ne"]), { register: ["OP", "ne"] })).toBe("kept");
  });

  it("rejects a document of other registers or without a certain one, and reports them", async () => {
    expect(await judge(verdict(["IP", "ds"]), { register: ["NA", "IN"] })).toBe(
      "filtered: register: IP, ds, wanted NA or IN",
    );
    expect(await judge(verdict([]), { register: ["NA"] })).toBe(
      "filtered: register: none for certain, wanted NA",
    );
    expect(await judge(undefined, { register: ["NA"] })).toContain("none for certain");
  });
});

describe("the filter machine-text", () => {
  it("rejects only values above its limit", async () => {
    expect(await judge(verdict([], 0.9), { "machine-text": true })).toBe("kept");
    expect(await judge(verdict([], 0.91), { "machine-text": true })).toBe(
      "filtered: machine-text: 0.91, wanted at most 0.9",
    );
    expect(await judge(verdict([], 0.4), { "machine-text": 0.3 })).toContain("machine-text: 0.4");
    expect(await judge(undefined, { "machine-text": 0 })).toBe("kept");
  });
});

describe("the need for registers", () => {
  it("exists only if a filter uses them", () => {
    expect(needsRegisters(NONE)).toBe(false);
    expect(needsRegisters({ ...NONE, preset: "register-oscar" })).toBe(true);
    expect(needsRegisters({ ...NONE, filters: { register: ["NA"] } })).toBe(true);
    expect(needsRegisters({ ...NONE, filters: { "machine-text": 0.5 } })).toBe(true);
    expect(needsRegisters({ ...NONE, preset: "gopher" })).toBe(false);
    expect("registers" in resolveCleanOptions({})).toBe(false);
    expect(resolveCleanOptions({ preset: "register-oscar" }).registers).toBe(true);
  });

  it("does not make unknown or missing registers valid options", () => {
    const wrong = (register: unknown): unknown => resolveCleanOptions({ filters: { register } as never });
    expect(() => wrong(["XX"])).toThrow("for register, an array of some of LY, SP");
    expect(() => wrong([])).toThrow("for register");
    expect(() => wrong("NA")).toThrow("for register");
    expect(() => wrong(0.5)).toThrow("for register");
  });
});

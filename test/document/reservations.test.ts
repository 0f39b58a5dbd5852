import { describe, expect, it } from "vitest";
import {
  mergeReservations,
  readDenied,
  readFieldReservations,
  readReservations,
  readReservedField,
} from "../../src/document/reservations.js";

describe("a statement about reserved uses", () => {
  it.each<[string, string, string[]]>([
    ["tdm-reservation", "1", ["tdm"]],
    ["tdm-reservation", " 1 ", ["tdm"]],
    ["tdm-reservation", "0", []],
    ["tdm-reservation", "2", []],
    ["tdm-reservation", "", []],
    ["robots", "noai, noimageai", ["noai"]],
    ["robots", "index,NoAI", ["noai"]],
    ["robots", "noimageai", []],
    ["robots", "noindex", []],
    ["x-robots-tag", "otherbot: noai", ["noai"]],
    ["content-usage", "train-ai=n", ["train-ai"]],
    ["content-usage", "train-ai=n;reason=x, search=y, AI-Output=N", ["train-ai", "ai-output"]],
    ["content-signal", "search=yes,ai-train=no, ai-input = no", ["ai-train", "ai-input"]],
    ["content-usage", "search=n", []],
    ["content-usage", "train-ai=never, =n, train-ai, 9=n, x y=n", []],
    ["content-usage", `${"a".repeat(41)}=n`, []],
  ])("%s: %s", (name, value, reserved) => {
    expect(readReservations(name, value)).toEqual(reserved);
  });

  it("may be in several fields of a response", () => {
    const fields = new Map([
      ["tdm-reservation", ["1"]],
      ["x-robots-tag", ["noindex", "noai"]],
      ["content-usage", ["search=y", "train-ai=n"]],
      ["content-language", ["no"]],
    ]);
    expect(readFieldReservations((name) => fields.get(name))).toEqual(["tdm", "noai", "train-ai"]);
  });

  it("is read up to a limit", () => {
    expect(readReservations("content-usage", `${"x=y,".repeat(1000)}train-ai=n`)).toEqual([]);
    const many = Array.from({ length: 100 }, (_, number) => `use-${number}=n`).join(",");
    expect(mergeReservations(readDenied(many))).toHaveLength(20);
  });
});

describe("reservations of several sources", () => {
  it("are merged without repeats", () => {
    expect(mergeReservations(["tdm"], undefined, ["noai", "tdm"])).toEqual(["tdm", "noai"]);
    expect(mergeReservations(undefined, [])).toBeUndefined();
  });

  it("are read from an archive only if they are names", () => {
    expect(readReservedField("ai-train, ai-input")).toEqual(["ai-train", "ai-input"]);
    expect(readReservedField("<b>, a=b, ,")).toEqual([]);
  });
});

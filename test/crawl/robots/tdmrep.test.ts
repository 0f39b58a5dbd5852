import { describe, expect, it } from "vitest";
import { parseTdmrep, tdmrepUrlOf } from "../../../src/crawl/robots/tdmrep.js";

const reserves = (rules: unknown, path: string): boolean =>
  parseTdmrep(typeof rules === "string" ? rules : JSON.stringify(rules))(`https://news.example${path}`)
    .length > 0;

describe("a tdmrep.json", () => {
  it("is at one place for each site", () => {
    expect(tdmrepUrlOf("https://news.example:8080/a/b?c")).toBe(
      "https://news.example:8080/.well-known/tdmrep.json",
    );
  });

  it("reserves what the longest matching pattern reserves", () => {
    const rules = [
      { location: "/", "tdm-reservation": 1, "tdm-policy": "https://news.example/policy.json" },
      { location: "/free/", "tdm-reservation": 0 },
      { location: "/free/*.pdf$", "tdm-reservation": 1 },
    ];
    expect(reserves(rules, "/a")).toBe(true);
    expect(reserves(rules, "/free/a")).toBe(false);
    expect(reserves(rules, "/free/a.pdf")).toBe(true);
    expect(reserves(rules, "/free/a.pdf?page=1")).toBe(false);
  });

  it("may be a single rule, and have its number in quotes", () => {
    expect(reserves({ location: "/a", "tdm-reservation": "1" }, "/a/b")).toBe(true);
    expect(reserves({ location: "/a", "tdm-reservation": "1" }, "/b")).toBe(false);
  });

  it("reserves in doubt if two patterns are the same", () => {
    const rules = [0, 1].map((number) => ({ location: "/a", "tdm-reservation": number }));
    expect(reserves(rules, "/a")).toBe(true);
    expect(reserves(rules.toReversed(), "/a")).toBe(true);
  });

  it.each([
    "",
    "<html>",
    "null",
    "[null, 1, []]",
    '[{"location": 1, "tdm-reservation": 1}]',
    '[{"location": ""}]',
    "{",
  ])("reserves nothing if it is %j", (text) => {
    expect(reserves(text, "/a")).toBe(false);
  });
});

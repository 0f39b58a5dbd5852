import { describe, expect, it } from "vitest";
import { duplicateCaps } from "../../../src/label/text/duplicates.js";

const LONG = "The ferry was late again, and the people on the pier sang to keep warm until it came at last. "
  .repeat(2)
  .trim();
const MIDDLE = "The ferry was late again that night.";

describe("duplicateCaps", () => {
  it("caps a copy right after its original, from 30 letters up", () => {
    expect([...duplicateCaps([MIDDLE, MIDDLE, "Other", MIDDLE])]).toEqual([1, 0.12, 1, 1]);
  });

  it("caps a long copy anywhere, but never the original", () => {
    expect([...duplicateCaps([LONG, "One", "Two", "Three", LONG.toUpperCase()])]).toEqual([1, 1, 1, 1, 0.4]);
  });

  it("leaves what the guideline keeps: refrains, names and dates in forums, rows of tables", () => {
    expect([...duplicateCaps(["la la la", "la la la", "by Ada", "3.4.2021", "by Ada", "3.4.2021"])]).toEqual([
      1, 1, 1, 1, 1, 1,
    ]);
  });

  it("weights letters by script", () => {
    const han = "渡轮又晚点了，码头上的人们唱着歌取暖。";
    expect([...duplicateCaps([han, han])]).toEqual([1, 0.12]);
    const paragraph = han.repeat(4);
    expect([...duplicateCaps([paragraph, "中间", paragraph])]).toEqual([1, 1, 0.4]);
  });

  it("distinguishes page 1 from page 2", () => {
    expect([...duplicateCaps([`${MIDDLE} 1`, `${MIDDLE} 2`])]).toEqual([1, 1]);
  });
});

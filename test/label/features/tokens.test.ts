import { describe, expect, it } from "vitest";
import { scanLine } from "../../../src/label/features/scan-line.js";
import { clearScan, createScan } from "../../../src/label/features/tokens.js";

describe("clearScan", () => {
  it("resets every number of the previous line", () => {
    const scan = createScan();
    const fresh = createScan();
    for (const [name, value] of Object.entries(scan))
      if (typeof value === "number") Object.assign(scan, { [name]: 7 });
    scan.counts.fill(7);
    clearScan(scan);
    expect(scan).toEqual(fresh);
  });

  it("makes a used scan equal to a new one", () => {
    const used = createScan();
    scanLine(
      used,
      "On 3.4.2021 at 17:45 Mr. O'Neill paid $5,000 #cash (www.example.org) “really?!” … 河水 → A|B",
    );
    scanLine(used, "Home");
    const fresh = createScan();
    scanLine(fresh, "Home");
    const numbers = (scan: object): unknown[] =>
      Object.entries(scan).filter(([, value]) => typeof value === "number");
    expect(numbers(used)).toEqual(numbers(fresh));
    expect([...used.counts]).toEqual([...fresh.counts]);
  });
});

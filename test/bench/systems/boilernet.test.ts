import { describe, expect, it } from "vitest";
import { findSystems } from "../../../bench/systems/registry.js";
import { page } from "./broken/systems.js";
import { MENU, PAGE, STORY } from "./story.js";

describe.each(["boilernet", "multiboilernet"])("%s", (name) => {
  it("accepts only pages, and scores all their lines with its own model in any working directory", async () => {
    const [entry] = findSystems([name]);
    expect(entry?.takes).toBe("pages");
    const before = process.cwd();
    process.chdir("/");
    const system = await entry!.create().finally(() => {
      process.chdir(before);
    });
    expect(system.describe).toContain(`model=models/${name}-1`);
    const output = await system.run(page("1", PAGE));
    await system.close();
    if (!output.ok) throw new Error(output.detail);
    const score = (text: string): number =>
      output.lines?.find((line) => line.text === text)?.score ?? Number.NaN;
    for (const text of STORY) {
      expect(output.text).toContain(text);
      for (const word of MENU) expect(score(text)).toBeGreaterThan(score(word));
    }
  });
});

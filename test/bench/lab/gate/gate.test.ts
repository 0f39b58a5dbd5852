import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { openCorpus } from "../../../../bench/corpora/registry.js";
import { DEFAULT_GATE, GATED, runGate, type GateOptions } from "../../../../bench/lab/gate/gate.js";
import { mentionsFloor } from "../../../../bench/lab/gate/changelog.js";
import {
  compareFloors,
  readFloors,
  writeFloors,
  type CorpusFloors,
} from "../../../../bench/lab/gate/floors.js";
import { checkTraining, readTestDigests } from "../../../../bench/lab/gate/training.js";
import { digestLines } from "../../../../bench/corpora/trained.js";
import { findSystems } from "../../../../bench/systems/registry.js";
import { ROOT } from "../../../../bench/systems/root.js";
import { makeFolder, makeIo } from "../../documents.js";

const FIXTURES = { fixturesDir: join(ROOT, "fixtures") };
const SILENT =
  "# Changelog\n\n## [Unreleased]\n\n- Faster.\n\n## [0.1.0]\n\n- Lower the floor of fixtures-text.\n";
const HONEST =
  "# Changelog\n\n## [Unreleased]\n\n- Benchmark: the floor of fixtures-text is lower, since …\n";

/** Makes a gate in its own folder, for the texts of the fixtures and the system that needs nothing. */
function makeGate(changelog = SILENT): Omit<GateOptions, "mode"> {
  const folder = makeFolder();
  mkdirSync(join(folder, "models"));
  writeFileSync(join(folder, "CHANGELOG.md"), changelog);
  return {
    goldDir: join(folder, "gold"),
    gated: [{ corpus: "fixtures-text", systems: ["raw"] }],
    floorsFile: join(folder, "floors.json"),
    testDigestsFile: join(folder, "tests.txt"),
    changelogFile: join(folder, "CHANGELOG.md"),
    modelsDir: join(folder, "models"),
  };
}

/** Changes the floors with a valid seal, as only the gate itself may. */
async function changeFloors(file: string, change: (floor: CorpusFloors) => CorpusFloors): Promise<void> {
  const known = await readFloors(file);
  const { format, corpora } = known!.floors;
  await writeFloors(file, { format, corpora: corpora.map(change) });
}

function withScore(value: number, failures = 0): (floor: CorpusFloors) => CorpusFloors {
  return (floor) => ({ ...floor, systems: { raw: { failures, scores: { lineF1: value } } } });
}

function addModel(modelsDir: string, manifest?: unknown): void {
  mkdirSync(join(modelsDir, "text-9"));
  writeFileSync(join(modelsDir, "text-9", "model.json"), "{}");
  if (manifest !== undefined) {
    writeFileSync(join(modelsDir, "text-9", "training.json"), JSON.stringify(manifest));
  }
}

const run = async (
  options: Omit<GateOptions, "mode">,
  mode: GateOptions["mode"] = "check",
): Promise<string[]> => (await runGate({ ...options, mode }, makeIo())).map(({ reason }) => reason);

describe("the gate", () => {
  it("fails without floors, and passes after they are written", async () => {
    const gate = makeGate();
    expect(await run(gate)).toEqual(["no-floor", "no-test-documents"]);
    expect(await run(gate, "refresh")).toEqual([]);
    expect(await run(gate)).toEqual([]);
  });

  it("fails below a floor, but tolerates a difference in the last digit", async () => {
    const gate = makeGate();
    await run(gate, "refresh");
    const { floors } = (await readFloors(gate.floorsFile))!;
    const now = floors.corpora[0]!.systems["raw"]!.scores.lineF1!;
    await changeFloors(gate.floorsFile, withScore(now + 0.001));
    expect(await run(gate)).toEqual([]);
    await changeFloors(gate.floorsFile, withScore(now + 0.01));
    expect(await run(gate)).toEqual(["below"]);
  });

  it("fails when documents change, until the change is accepted", async () => {
    const gate = makeGate();
    await run(gate, "refresh");
    await changeFloors(gate.floorsFile, (floor) => ({ ...floor, digest: "0".repeat(64) }));
    expect(await run(gate)).toEqual(["digest"]);
    expect(await run(gate, "refresh")).toEqual([]);
    expect(await run(gate)).toEqual([]);
  });

  it("fails for floors that were edited by hand", async () => {
    const gate = makeGate();
    await run(gate, "refresh");
    const json = readFileSync(gate.floorsFile, "utf8");
    writeFileSync(gate.floorsFile, json.replace(/"lineF1": 0\.\d+/, '"lineF1": 0.1'));
    expect(await run(gate)).toEqual(["edited"]);
  });

  it("fails for a system without a floor, and for a floor whose system does not run", async () => {
    const gate = makeGate();
    await run(gate, "refresh");
    await changeFloors(gate.floorsFile, ({ systems, ...floor }) => ({
      ...floor,
      systems: { ghost: systems["raw"]! },
    }));
    expect(await run(gate)).toEqual(["not-measured", "no-floor"]);
  });

  it("lowers a floor only with the flag, and only if the changelog mentions it", async () => {
    const gate = makeGate();
    await run(gate, "refresh");
    await changeFloors(gate.floorsFile, withScore(0.99));
    const before = readFileSync(gate.floorsFile, "utf8");
    expect(await run(gate, "refresh")).toEqual(["lowered"]);
    expect(await run(gate, "lower")).toEqual(["no-changelog"]);
    expect(readFileSync(gate.floorsFile, "utf8")).toBe(before);
    writeFileSync(gate.changelogFile, HONEST);
    expect(await run(gate, "refresh")).toEqual(["lowered"]);
    expect(await run(gate, "lower")).toEqual([]);
    expect(await run(gate)).toEqual([]);
  });

  it("does not lower a floor when it accepts changed documents", async () => {
    const gate = makeGate();
    await run(gate, "refresh");
    await changeFloors(gate.floorsFile, (floor) => ({ ...withScore(0.99)(floor), digest: "0".repeat(64) }));
    expect(await run(gate, "refresh")).toEqual(["lowered"]);
  });

  it("keeps the floors of corpora that are missing here", async () => {
    const gate = makeGate();
    await run(gate, "refresh");
    const known = (await readFloors(gate.floorsFile))!.floors;
    const absent = { ...known.corpora[0]!, corpus: "canola" };
    await writeFloors(gate.floorsFile, { ...known, corpora: [...known.corpora, absent] });
    const both = { ...gate, gated: [...gate.gated, { corpus: "canola", systems: ["raw"] }] };
    expect(await run(gate)).toEqual(["not-measured"]);
    expect(await run(both)).toEqual([]);
    expect(await run(both, "refresh")).toEqual([]);
    expect((await readFloors(gate.floorsFile))!.floors.corpora.map(({ corpus }) => corpus)).toEqual([
      "fixtures-text",
      "canola",
    ]);
  });

  it("fails when a model trained on a test document, or does not say what it trained on", async () => {
    const gate = makeGate();
    await run(gate, "refresh");
    let digest: string | undefined;
    for await (const document of openCorpus("fixtures", FIXTURES).documents())
      digest ??= digestLines(document);
    addModel(gate.modelsDir);
    expect(await run(gate)).toEqual(["no-manifest"]);
    const manifest = join(gate.modelsDir, "text-9", "training.json");
    const write = (documents: readonly unknown[]): void => {
      writeFileSync(manifest, JSON.stringify({ format: "thresher-training-1", documents }));
    };
    write(["a".repeat(64)]);
    expect(await run(gate)).toEqual([]);
    write(["a".repeat(64), digest]);
    expect(await run(gate)).toEqual(["trained-on-test"]);
    write([]);
    expect(await run(gate)).toEqual(["no-manifest"]);
    write(["not a digest"]);
    expect(await run(gate)).toEqual(["no-manifest"]);
  });
});

describe("a floor", () => {
  const floor: CorpusFloors = {
    corpus: "c",
    documents: 1,
    digest: "d",
    systems: { s: { failures: 1, scores: { lineF1: 0.8 } } },
  };
  const now = (failures: number, scores: CorpusFloors["systems"][string]["scores"]): CorpusFloors => ({
    ...floor,
    systems: { s: { failures, scores } },
  });
  it.each([
    ["as good", now(1, { lineF1: 0.8 }), []],
    ["better", now(0, { lineF1: 0.9, wordF1: 0.1 }), []],
    ["more failures", now(2, { lineF1: 0.9 }), ["failures"]],
    ["a measure that is gone", now(1, {}), ["below"]],
    ["another sample", { ...now(1, { lineF1: 0.8 }), sample: 3 }, ["digest"]],
  ])("against %s", (_, measured, reasons) => {
    expect(compareFloors(floor, measured).map(({ reason }) => reason)).toEqual(reasons);
  });
});

describe("the changelog", () => {
  it.each([
    [HONEST, "fixtures-text", true],
    [HONEST, "fixtures", false],
    [SILENT, "fixtures-text", false],
    ["## [Unreleased]\n- Two floors fall: canola and cleaneval.", "canola", true],
    ["## [Unreleased]\n- The canola score.\n- Another floor.", "canola", false],
    ["no sections", "canola", false],
  ])("%j, %s: %s", (changelog, corpus, expected) => {
    expect(mentionsFloor(changelog, corpus)).toBe(expected);
  });
});

describe("the gate of this project", () => {
  let tests: Awaited<ReturnType<typeof readTestDigests>>;
  beforeAll(async () => {
    tests = await readTestDigests(DEFAULT_GATE.testDigestsFile);
  });

  it("names systems and corpora that exist", () => {
    for (const { systems, corpus } of GATED) {
      expect(findSystems(systems).map(({ name }) => name)).toEqual(systems);
      expect(() => openCorpus(corpus)).not.toThrow();
    }
  });

  it("has floors that were not edited by hand", async () => {
    expect(await readFloors(DEFAULT_GATE.floorsFile)).toMatchObject({ isSealed: true });
  });

  it("lists the test documents of all corpora, and recognises them", async () => {
    expect(tests.size).toBeGreaterThan(3000);
    const models = makeFolder();
    const [digest = ""] = [...tests].find(([, corpora]) => corpora.includes("canola")) ?? [];
    addModel(models, { format: "thresher-training-1", documents: [digest.padEnd(64, "0")] });
    const problems = await checkTraining(models, tests);
    expect(problems.map(({ reason }) => reason)).toContain("trained-on-test");
    expect(problems.map(({ detail }) => detail).join()).toContain("trained on 1 documents of canola,");
  });
});

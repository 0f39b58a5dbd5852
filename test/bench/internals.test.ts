import { expect, it } from "vitest";
import { loadInternals as loadDuplicates } from "../../bench/lab/duplicates/internals.js";
import { loadInternals as loadJustext } from "../../bench/lab/gate/justext/justext-internals.js";
import { loadInternals as loadParsers } from "../../bench/lab/speed/parser-internals.js";
import { loadInternals as loadTexrex } from "../../bench/lab/speed/texrex-internals.js";
import { loadInternals as loadText } from "../../bench/lab/speed/text-internals.js";
import { loadInternals as loadTrain } from "../../bench/lab/train/internals.js";
import { loadInternals as loadProfile } from "../../bench/run/profile/internals.js";

it.each([
  ["duplicates", loadDuplicates],
  ["justext", loadJustext],
  ["parsers", loadParsers],
  ["profile", loadProfile],
  ["texrex", loadTexrex],
  ["text", loadText],
  ["train", loadTrain],
])("finds what %s imports from inside the package", async (_name, load) => {
  const found = Object.values(await load()) as unknown[];
  expect(found.length).toBeGreaterThan(2);
  expect(found).not.toContain(undefined);
});

/** Tests that labellers with different options share one model, which is read once and stays open as long as one of them. */
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Document } from "../../../src/document.js";
import type { Labeller } from "../../../src/label/labeller.js";
import { DEFAULT_TEXT_MODEL } from "../../../src/label/models/shipped-models.js";
import { createShelf } from "../../../src/label/network/shelf.js";
import { createTextLabeller } from "../../../src/label/text/text-folder.js";
import { UsageError } from "../../../src/outcome.js";
import { textDocument } from "../text/text-document.js";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "model-"));
  await cp(DEFAULT_TEXT_MODEL, folder, { recursive: true });
});
afterEach(() => rm(folder, { recursive: true }));

const document: Document = textDocument([
  "Home | About | Contact",
  "She wrote the letter on a cold morning.",
]);
const scoresOf = async (labeller: Labeller): Promise<unknown> =>
  (await labeller.label([document]))[0]?.lines.map(({ score }) => score);

it("reads a model once for labellers with different options, and again after all are closed", async () => {
  const first = await createTextLabeller({ focus: "balanced", modelDir: folder });
  const wanted = await scoresOf(first);
  await rm(join(folder, "model.onnx"));
  const second = await createTextLabeller({ focus: "recall", modelDir: folder });
  await first.close();
  await first.close();
  expect(await scoresOf(second)).toEqual(wanted);
  // Another engine has its own networks.
  await expect(createTextLabeller({ focus: "recall", modelDir: folder, engine: "portable" })).rejects.toThrow(
    UsageError,
  );
  await second.close();
  await expect(createTextLabeller({ focus: "balanced", modelDir: folder })).rejects.toThrow(UsageError);
  // A model that could not be opened is tried again.
  await cp(join(DEFAULT_TEXT_MODEL, "model.onnx"), join(folder, "model.onnx"));
  const third = await createTextLabeller({ focus: "balanced", modelDir: folder });
  expect(await scoresOf(third)).toEqual(wanted);
  await third.close();
});

it("closes a resource once, when the last of those that borrowed it while it opened gives it back", async () => {
  let [opened, closed] = [0, 0];
  const shelf = createShelf<number>(() => {
    closed += 1;
    return Promise.resolve();
  });
  const open = (): Promise<number> => Promise.resolve((opened += 1));
  const borrowed = await Promise.all([
    shelf.borrow("a", open),
    shelf.borrow("a", open),
    shelf.borrow("b", open),
  ]);
  expect(borrowed.map(({ thing }) => thing)).toEqual([1, 1, 2]);
  await borrowed[0].giveBack();
  await borrowed[0].giveBack();
  expect(closed).toBe(0);
  await borrowed[1].giveBack();
  expect(closed).toBe(1);
  expect((await shelf.borrow("a", open)).thing).toBe(3);
});

import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { readGoldInputs } from "../../src/cli/gold-inputs.js";

it("does not use partial gold when it is aborted", async () => {
  const stdin = new PassThrough();
  stdin.write('{"id":"a","lines":[{"text":"A line.","label":1}]}\n');
  const stop = new AbortController();
  const read = async (): Promise<void> => {
    for await (const one of readGoldInputs(["-"], { stdin, signal: stop.signal })) {
      expect(one).toMatchObject({ id: "a" });
      stop.abort(new Error("stopped"));
    }
  };
  await expect(read()).rejects.toThrow("stopped");
});

import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { openThread } from "../../src/work/thread/one-thread.js";

it("stops a thread at any moment of its start without ending the process", async () => {
  for (let ms = 0; ms < 120; ms += 6) {
    const thread = openThread({ body: "thread-body", maxHeapMb: 256, first: undefined });
    await sleep(ms);
    await thread.close();
  }
  expect(process.exitCode).toBeUndefined();
});

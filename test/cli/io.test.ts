import { PassThrough, Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { createMessages, createSay, overwrite, showCount, toOneLine } from "../../src/cli/io.js";

async function written(write: (messages: Writable) => void): Promise<string> {
  const target = new PassThrough();
  const messages = createMessages(target);
  write(messages);
  await new Promise<void>((resolve) => {
    messages.end(resolve);
  });
  return String(target.read());
}

describe("output on stderr", () => {
  it("escapes control characters of strings, and keeps line breaks, tabs and letters of any script", async () => {
    const text = "a\u001b]0;gone\u0007b\r\u0000\u007f\u009b2J\u202ec\n\tåäö 文 😀\n";
    expect(await written((messages) => messages.write(text))).toBe(
      String.raw`a\x1b]0;gone\x07b\r\x00\x7f\x9b2J\u202ec` + "\n\tåäö 文 😀\n",
    );
  });

  it("passes our own control codes through", async () => {
    const text = await written((messages) => {
      overwrite(messages, "\r7 documents");
    });
    expect(text).toBe("\r\u001b[K\\r7 documents");
  });

  it("counts what was done on a terminal only, and says sentences in place of the count", async () => {
    const show = async (isTTY: boolean, quiet: boolean): Promise<string> => {
      const target = Object.assign(new PassThrough(), { isTTY });
      const stderr = createMessages(target);
      await showCount("document", { stderr, quiet }, async (count) => {
        count();
        await new Promise((resolve) => setTimeout(resolve, 250));
        count();
        createSay({ stderr })("one is broken");
      });
      await new Promise((resolve) => stderr.write("", resolve));
      return String(target.read());
    };
    expect(await show(true, false)).toBe(
      "\r\u001b[K2 documents\r\u001b[Kthresher: one is broken\n\r\u001b[K",
    );
    expect(await show(true, true)).toBe("\r\u001b[Kthresher: one is broken\n");
    expect(await show(false, false)).toBe("thresher: one is broken\n");
  });

  it("continues if the stream has failed, and detects a terminal", async () => {
    const broken = new Writable({
      write: (_chunk, _encoding, done) => {
        done(new Error("closed"));
      },
    });
    broken.on("error", () => undefined);
    const messages = createMessages(broken);
    for (const text of ["a", "b"])
      await new Promise<void>((resolve) =>
        messages.write(text, () => {
          resolve();
        }),
      );
    expect(messages.isTTY).toBe(false);
    expect(createMessages(Object.assign(new PassThrough(), { isTTY: true })).isTTY).toBe(true);
  });

  it("fits on one line if requested", () => {
    expect(toOneLine("a\r\n\nthresher: done")).toBe(String.raw`a\r\n\nthresher: done`);
  });
});

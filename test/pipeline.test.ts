/** Checks what the pipeline returns beside each outcome. */
import { describe, expect, it } from "vitest";
import type { Page } from "../src/document.js";
import { accept, reject, type Outcome } from "../src/outcome.js";
import { createPipeline, type TaggedPage } from "../src/pipeline.js";

const html = (id: string, source: string): Outcome<Page> =>
  accept({ id, url: "", content: { kind: "html", html: source } });

describe("the pipeline", () => {
  it.each([1, 2, 3])("returns each tag with its own page, with %i workers", async (workers) => {
    const pages = Array.from({ length: 60 }, (_, number): Outcome<Page> => {
      const id = `page ${number}`;
      if (number % 7 === 3) return reject({ id, url: "" }, "acquire", "not-found");
      return html(id, `<p>${"Some words of it. ".repeat(number % 10 === 0 ? 20_000 : number)}`);
    });
    const pipeline = await createPipeline({ labeller: "rules", keepBoilerplate: true, workers });
    const tags = pages.map((_, number) => ({ number }));
    async function* read(): AsyncGenerator<TaggedPage<{ readonly number: number }>> {
      for (const [at, page] of pages.entries())
        yield { page, tag: await Promise.resolve(tags[at] ?? { number: -1 }) };
    }
    let at = 0;
    for await (const { outcome, account, tag } of pipeline.run(read(), new AbortController().signal)) {
      expect(tag).toBe(tags[at]);
      expect(outcome.ok ? outcome.value.id : outcome.id).toBe(`page ${at}`);
      expect(account.labelled === undefined).toBe(!outcome.ok);
      at += 1;
    }
    expect(at).toBe(pages.length);
    await pipeline.close();
  });
});

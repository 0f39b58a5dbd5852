/**
 * Cleans one page after the other to Markdown with links and images, as `thresher --to markdown --links --images` does. The
 * library returns text; the command's pipeline formats documents.
 */
import { createPipeline } from "../../../dist/pipeline.js";

const FORM = { to: "markdown", lines: "none", links: "keep", images: "keep", frontMatter: false };

/** Opens a pipeline; `clean` returns its outcome, with `markdown` where it is ok. */
export async function openMarkdown(options, version) {
  const form = { ...FORM, version };
  const pipeline = await createPipeline({ ...options, structure: "keep", wants: "text" }, { form });
  const { signal } = new AbortController();
  return {
    fingerprint: pipeline.fingerprint,
    close: () => pipeline.close(),
    async clean({ id, url = "", html }) {
      const page = { ok: true, value: { id, url, content: { kind: "html", html } } };
      for await (const { outcome, account } of pipeline.run([{ page, tag: undefined }], signal))
        return outcome.ok ? { ok: true, markdown: account.formatted } : outcome;
      throw new Error("the pipeline returned nothing for a page");
    },
  };
}

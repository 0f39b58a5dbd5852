/** Converts Markdown (CommonMark with GitHub's tables, strikethrough, task lists and footnotes) to HTML. */

/** Bare addresses in running text are not links, because no system marked them as links in its output. */
const NO_LITERAL_LINKS = { disable: { null: ["wwwAutolink", "protocolAutolink", "emailAutolink"] } };

export type MarkdownReader = (markdown: string) => string;

/** Thrown when the Markdown parser, which is installed only for development, is missing. */
export class MarkdownParserMissing extends Error {
  override readonly name = "MarkdownParserMissing";
}

/**
 * Loads the parser and returns a function that converts Markdown to HTML. It keeps HTML inside Markdown as it is, and
 * removes what GitHub adds to footnotes: their heading and the links back. Throws MarkdownParserMissing.
 */
export async function loadMarkdownReader(): Promise<MarkdownReader> {
  const { micromark, gfm, gfmHtml } = await load();
  return (markdown) =>
    micromark(markdown, {
      allowDangerousHtml: true,
      allowDangerousProtocol: true,
      extensions: [gfm(), NO_LITERAL_LINKS],
      htmlExtensions: [gfmHtml()],
    })
      .replace(/<h2 id="footnote-label" class="sr-only">[^<]*<\/h2>/, "")
      .replace(/<a [^>]*data-footnote-backref[^>]*>[\s\S]*?<\/a>/g, "");
}

async function load() {
  try {
    const [{ micromark }, { gfm, gfmHtml }] = await Promise.all([
      import("micromark"),
      import("micromark-extension-gfm"),
    ]);
    return { micromark, gfm, gfmHtml };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const command = "npm install micromark@4.0.3 micromark-extension-gfm@3.0.0";
    throw new MarkdownParserMissing(`reading structure needs a Markdown parser (${why}); run: ${command}`, {
      cause,
    });
  }
}

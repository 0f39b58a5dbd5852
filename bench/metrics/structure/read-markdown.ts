/** Reads Markdown (CommonMark with GitHub's tables, strikethrough, task lists and footnotes) as the HTML that it stands for. */

/** Addresses in running text are no links: in no system's output did anybody mark them. */
const NO_LITERAL_LINKS = { disable: { null: ["wwwAutolink", "protocolAutolink", "emailAutolink"] } };

export type MarkdownReader = (markdown: string) => string;

/** Thrown where the Markdown parser, which is installed for development only, is not there. */
export class MarkdownParserMissing extends Error {
  override readonly name = "MarkdownParserMissing";
}

/** HTML inside of Markdown stays as it is. What GitHub adds to footnotes, their heading and the ways back, is taken away. */
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
    throw new MarkdownParserMissing(`structure is read with a parser of Markdown (${why}); run: ${command}`, {
      cause,
    });
  }
}

import { describe, expect, it } from "vitest";
import { openReader } from "../../src/core/read-page.js";

const TUNE =
  "The archive holds tablature for two hundred tunes, taken down at kitchen tables and at some funerals.";
const TEXT = Array.from({ length: 6 }, (_, at) => `<P>${at + 1}. ${TUNE}\n`).join("");

async function read(html: string) {
  const reader = await openReader("page", { leftOut: "drop" });
  const outcome = reader({ id: "p", url: "", content: { kind: "html", html } });
  return outcome.ok ? outcome.value : outcome.reason;
}

const frames = (inside: string): string =>
  `<HTML><HEAD><TITLE>Banjo tunes</TITLE></HEAD><FRAMESET COLS="160,*"><FRAME SRC="menu.html">` +
  `<FRAMESET ROWS="*,40"><FRAME SRC="main.html"><FRAME SRC="foot.html"></FRAMESET>` +
  `<NOFRAMES><BODY BGCOLOR=white>${inside}</BODY></NOFRAMES></FRAMESET></HTML>`;

describe("a page of frames", () => {
  it("is read from its noframes element, with exact spans", async () => {
    const html = frames(TEXT);
    const document = await read(html);
    if (typeof document === "string") throw new Error(document);
    expect(document.lines.map(({ text }) => text)).toEqual(
      Array.from({ length: 6 }, (_, at) => `${at + 1}. ${TUNE}`),
    );
    expect(document.notes).toContain("noframes-read");
    expect(document.meta.title).toBe("Banjo tunes");
    for (const { text, span } of document.lines) expect(html.slice(...(span ?? [0, 0]))).toBe(text);
  });

  it("is read from a noframes element that is never closed", async () => {
    const document = await read(frames(TEXT).replace(/<\/BODY>.*/s, ""));
    if (typeof document === "string") throw new Error(document);
    expect(document.lines).toHaveLength(6);
  });

  it("has no lines if noframes only asks for another browser", async () => {
    expect(await read(frames("<P>Your browser does not support frames."))).toBe("no-lines");
  });
});

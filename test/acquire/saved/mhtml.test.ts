import { describe, expect, it } from "vitest";
import { readMhtml } from "../../../src/acquire/saved/mhtml.js";
import { toPage } from "../../../src/acquire/page-bytes.js";
import { createThresher } from "../../../src/index.js";
import { utf8 } from "../gather.js";

const PAGE = `<html><head><meta charset="utf-8"><title>Käse</title></head><body><main><h1>Käse = Cheese</h1>
<p>A wheel ripens for 24 months, and the rind is brushed each week; that is why it tastes of nuts.</p></main></body></html>`;

/** Encodes as quoted-printable (RFC 2045, section 6.7), in lines of at most 76 characters. */
function quote(bytes: Uint8Array, end: string): string {
  let [text, length] = ["", 0];
  for (const byte of bytes) {
    const isPlain = byte >= 0x20 && byte < 0x7f && byte !== 0x3d;
    const shown = isPlain
      ? String.fromCharCode(byte)
      : `=${byte.toString(16).toUpperCase().padStart(2, "0")}`;
    if (length + shown.length > 75) [text, length] = [`${text}=${end}`, 0];
    text += shown;
    length += shown.length;
  }
  return text;
}

interface Made {
  readonly encoding?: "quoted-printable" | "base64" | "8bit";
  readonly end?: string;
  readonly type?: string;
  readonly page?: string;
}

function save({
  encoding = "quoted-printable",
  end = "\r\n",
  type = "text/html",
  page = PAGE,
}: Made = {}): Buffer {
  const bytes = Buffer.from(page);
  const body =
    encoding === "base64"
      ? bytes.toString("base64").replace(/.{76}/g, `$&${end}`)
      : encoding === "8bit"
        ? page
        : quote(bytes, end);
  return Buffer.from(
    [
      "From: <Saved by Blink>",
      "Snapshot-Content-Location: https://example.org/cheese",
      "Subject: =?utf-8?Q?K=C3=A4se?=",
      "MIME-Version: 1.0",
      "Content-Type: multipart/related;",
      '\ttype="text/html";',
      '\tboundary="----MultipartBoundary--a+b.c(1)----"',
      "",
      "",
      "------MultipartBoundary--a+b.c(1)----",
      `Content-Type: ${type}`,
      `Content-Transfer-Encoding: ${encoding}`,
      "Content-Location: https://example.org/cheese",
      "",
      body,
      "------MultipartBoundary--a+b.c(1)----",
      "Content-Type: image/png",
      "Content-Transfer-Encoding: base64",
      "Content-Location: https://example.org/p.png",
      "",
      "iVBORw0KGgo=",
      "------MultipartBoundary--a+b.c(1)------",
      "",
    ].join(end),
  );
}

const textOf = (bytes: Uint8Array): string => Buffer.from(readMhtml(bytes)?.bytes ?? []).toString();

describe("a page saved as MHTML", () => {
  it.each<[string, Made]>([
    ["as Chromium saves it", {}],
    ["with base64", { encoding: "base64" }],
    ["without encoding, with a charset", { encoding: "8bit", type: 'text/html; charset="utf-8"' }],
    ["with other line ends", { end: "\n" }],
    ["as XHTML", { type: "application/xhtml+xml" }],
  ])("is extracted from the file: %s", (_, made) => {
    expect(textOf(save(made)).trimEnd()).toBe(PAGE);
    expect(readMhtml(save(made))).toMatchObject({
      url: "https://example.org/cheese",
      contentType: made.type ?? "text/html",
    });
  });

  it("becomes text, with the URL that it was saved from unless the caller gives another", async () => {
    const of = { id: "cheese.mhtml", url: "", format: "html" } as const;
    expect(toPage(of, save(), Infinity)).toMatchObject({ value: { url: "https://example.org/cheese" } });
    const known = toPage({ ...of, url: "https://example.net/" }, save(), Infinity);
    expect(known).toMatchObject({ value: { url: "https://example.net/" } });
    const page = toPage(of, save({ encoding: "base64" }), Infinity);
    const cleaner = await createThresher();
    if (!page.ok || page.value.content.kind !== "bytes") throw new Error("no page");
    const outcome = await cleaner.clean({ bytes: page.value.content.bytes, url: page.value.url });
    await cleaner.close();
    expect(outcome).toMatchObject({ value: { title: "Käse" } });
    expect(outcome.ok && outcome.value.text).toContain("A wheel ripens for 24 months, and the rind");
  });

  it("is all of a file of one part, as Internet Explorer saved pages without images", () => {
    const saved = [
      'From: "Saved by Microsoft Internet Explorer 5"',
      "MIME-Version: 1.0",
      'Content-Type: text/html;\r\n\tcharset="utf-8"',
      "Content-Transfer-Encoding: quoted-printable",
      "Content-Location: http://example.org/cheese",
      "",
      quote(Buffer.from(PAGE), "\r\n"),
    ].join("\r\n");
    expect(textOf(utf8(saved))).toBe(PAGE);
    expect(readMhtml(utf8(saved))).toMatchObject({ url: "http://example.org/cheese" });
  });

  it("is the first part, or the part that the header names", () => {
    const second = save()
      .toString("latin1")
      .replace("Content-Type: image/png", "Content-ID: <b>\r\nContent-Type: text/html");
    expect(textOf(Buffer.from(second, "latin1"))).toContain("Cheese");
    const named = Buffer.from(second.replace('type="text/html"', 'start="<b>"'), "latin1");
    expect(Buffer.from(readMhtml(named)?.bytes ?? []).toString("latin1")).toBe("\x89PNG\r\n\x1a\n");
  });

  it("is read as far as possible from a file that is cut off at any byte", () => {
    const whole = save();
    const first = whole.indexOf("<html>");
    for (let length = 0; length <= whole.length; length += 1) {
      const text = textOf(whole.subarray(0, length));
      if (length > first + 10 && length < whole.indexOf("</html>"))
        expect(PAGE.startsWith(text.replace(/=.?$/, "").slice(0, -4))).toBe(true);
    }
    expect(textOf(whole.subarray(0, first + 40))).toContain("<html>");
  });

  it.each([
    ["a plain-text e-mail", "From: a@example.org\nContent-Type: text/plain\n\nHello: <html>"],
    [
      "an e-mail with alternative parts",
      'Subject: x\nContent-Type: multipart/alternative; boundary="b"\n\n--b\nContent-Type: text/html\n\n<p>x',
    ],
    ["a response with its header", "Server: a\nContent-Type: text/html\n\n<p>x"],
    ["a text that begins like an e-mail", "Note: this is no header\n\nAnd more."],
    [
      "a file without a boundary",
      "MIME-Version: 1.0\nContent-Type: multipart/related\n\n--b\nContent-Type: text/html\n\n<p>x",
    ],
    ["a page", "<!doctype html><p>From: me"],
    ["an empty file", ""],
    ["a file without a page among its parts", save({ type: "text/css" }).toString()],
  ])("is not found in %s", (_, text) => {
    expect(readMhtml(utf8(text))).toBeUndefined();
  });

  it("is searched for quickly among very many parts", () => {
    const part = "--b\nContent-Type: text/css\n\na{}\n";
    const many = `MIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\n\n${part.repeat(300_000)}`;
    expect(readMhtml(utf8(many))).toBeUndefined();
    expect(readMhtml(utf8(`A:${" =\n".repeat(2_000_000)}`))).toBeUndefined();
  });

  it("is the first page if no other is named", () => {
    const save = (parameters: string): Buffer =>
      Buffer.from(
        [
          `MIME-Version: 1.0\nContent-Type: multipart/related; boundary=b${parameters}\n\n`,
          "--b\nContent-Type: text/html\nContent-ID: <one>\n\n<p>one\n",
          "--b\nContent-Type: text/html\n\n<p>two\n",
          "--b\nContent-Type: text/html\nContent-ID: <three>\n\n<p>three\n--b--\n",
        ].join(""),
      );
    expect(textOf(save(""))).toBe("<p>one");
    expect(textOf(save('; start="<three>"'))).toBe("<p>three");
    expect(textOf(save('; start="<four>"'))).toBe("<p>one");
  });
});

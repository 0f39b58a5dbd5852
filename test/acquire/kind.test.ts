import { describe, expect, it } from "vitest";
import {
  chooseFormat,
  chooseKind,
  isSearchedFor,
  isSurelyRecords,
  kindOfName,
  type InputKind,
  SEARCHED_EXTENSIONS,
} from "../../src/acquire/kind.js";
import { findBinary, toPage } from "../../src/acquire/page-bytes.js";
import { utf8 } from "./gather.js";

const utf16 = (text: string): Uint8Array => new Uint8Array(Buffer.from(`\uFEFF${text}`, "utf16le"));
const latin1 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "latin1"));

describe("chooseKind", () => {
  const PLAIN = "A text about <p> and </p>, and 3 < 4.";
  const rows: readonly [string, InputKind | undefined, InputKind][] = [
    ["<!DOCTYPE html><p>x", "text", "html"],
    ["  \n<HTML lang=en>", "text", "html"],
    ["<!-- a --> <!-- b -->\n<html>", undefined, "html"],
    ['<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN">', "text", "html"],
    ["<html>", "jsonl", "html"],
    ["<p>A fragment</p>", "text", "text"],
    ["<p>A fragment</p>", undefined, "html"],
    ["Hello <b>you</b> and <i>you</i> and <a href=x>you</a>", undefined, "html"],
    ["<htmlish> is no tag", undefined, "text"],
    ["<".repeat(70_000), undefined, "text"],
    ["<".repeat(70_000), "html", "html"],
    [PLAIN, undefined, "text"],
    [PLAIN, "html", "html"],
    [PLAIN, "jsonl", "jsonl"],
    ['{"text":"a"}', undefined, "jsonl"],
    ['\uFEFF\n {"id": 3, "lines": []}', "html", "jsonl"],
    [`{"id":1,"html":"${"x".repeat(70_000)}"}`, "text", "jsonl"],
    ['{"name":"other"}', undefined, "text"],
    ['{"name":"other"}', "jsonl", "jsonl"],
    ['{\n  "text": "pretty-printed"\n}', undefined, "json"],
    ['{\r\n\t"id": 1,\r\n\t"html": ""\r\n}', "text", "json"],
    ['[{"id": 1, "text": "one of many"}]', undefined, "json"],
    ['\uFEFF[\n  {\n    "lines": []}]', "html", "json"],
    ['[{"name":"other"}]', undefined, "text"],
    ['[{"name":"other"}]', "json", "json"],
    ['{"text":"a"}\n{"text":"b"}', "json", "jsonl"],
    ["[sic] {this} is text", undefined, "text"],
    [`{${"\n".repeat(65_000)}`, undefined, "text"],
    [`[${"\n".repeat(30_000)}{${" \n".repeat(15_000)}`, undefined, "text"],
    ['{"name":"other"}\n{"text":"b"}', undefined, "jsonl"],
    ['{"name":"other"\n{"text":"b"}', undefined, "text"],
    [`{"meta":"${"x".repeat(70_000)}","text":""}`, undefined, "jsonl"],
    ['{"quoted":"{\\"text\\":1}"}', undefined, "text"],
    ["{ this } is text", undefined, "text"],
    ["", undefined, "text"],
  ];
  for (const [text, hint, kind] of rows) {
    it(`classifies ${JSON.stringify(text.slice(0, 40))} named ${hint ?? "nothing"} as ${kind}`, () => {
      expect(chooseKind(utf8(text), hint)).toBe(kind);
      if (!text.startsWith("\uFEFF")) expect(chooseKind(utf16(text), hint)).toBe(kind);
    });
  }

  it("looks for the field that the caller names", () => {
    const head = utf8('{"id":1,"körper":"<p>a"}');
    expect(chooseKind(head, undefined, "körper")).toBe("jsonl");
    expect(chooseKind(head, undefined, "body")).toBe("text");
    expect(chooseKind(utf8('[{"id":1,"body":"a"}]'), undefined, "body")).toBe("json");
    expect(isSurelyRecords(utf8('{"body":"a"}\n'), "body")).toBe(true);
  });

  it("searches folders for compressed JSON records, but not for plain .json files", () => {
    const names = ["a.json", "c4.00000.json.gz", "b.json.zst", "d.html", "e.pdf"];
    expect(names.filter(isSearchedFor)).toEqual(["c4.00000.json.gz", "b.json.zst", "d.html"]);
  });

  it("reads extensions in any case, with and without .gz", () => {
    expect(
      ["a.html", "b/A.HTM.GZ", "c.xhtml", "d.txt.gz", "e.ndjson", "f.jsonl", "g.pdf", "html", "h.gz"].map(
        kindOfName,
      ),
    ).toEqual(["html", "html", "html", "text", "jsonl", "jsonl", undefined, undefined, undefined]);
  });

  it("does not take an extension for a property that every object inherits", () => {
    expect(kindOfName("x.constructor")).toBeUndefined();
    expect(isSearchedFor("x.constructor.gz")).toBe(false);
  });

  it("is sure of records once their first line is complete", () => {
    expect(isSurelyRecords(utf8('{"text":"a"}'))).toBe(false);
    expect(isSurelyRecords(utf8('\n{"text":"a"}\n'))).toBe(true);
    expect(isSurelyRecords(utf8("text\n"))).toBe(false);
  });

  it("keeps a list of extensions that is lower-case, unique and well-formed", () => {
    const [list = "", also] = SEARCHED_EXTENSIONS.split(", ");
    const extensions = list.split(" ");
    expect(new Set(extensions).size).toBe(extensions.length);
    for (const extension of extensions) expect(extension).toMatch(/^\.[a-z]+$/);
    expect(also).toBe("or with .gz or .zst");
  });
});

describe("chooseFormat", () => {
  it("follows the bytes first and the content type second", () => {
    expect(chooseFormat(utf8("<!doctype html>"), "text/plain; charset=utf-8")).toBe("html");
    expect(chooseFormat(utf8("words"), "text/HTML; charset=utf-8")).toBe("html");
    expect(chooseFormat(utf8("<p>words</p>"), "text/plain")).toBe("text");
    expect(chooseFormat(utf8("<p>words</p>"))).toBe("html");
    expect(chooseFormat(utf8("words"), "nonsense")).toBe("text");
  });
});

describe("toPage", () => {
  const of = { id: "a", url: "", format: "html" } as const;
  const judge = (bytes: Uint8Array): string => {
    const outcome = toPage(of, bytes, 1000);
    return outcome.ok ? "page" : outcome.reason;
  };

  it("rejects empty input and white space as empty, in every encoding", () => {
    for (const bytes of [
      utf8(""),
      utf8(" \r\n\t\f"),
      utf8("\uFEFF"),
      utf8("\uFEFF \n"),
      utf16(""),
      utf16(" \n"),
    ]) {
      expect(judge(bytes)).toBe("empty");
    }
  });

  it("recognises binary formats by their first bytes", () => {
    for (const text of [
      "%PDF-1.7\n text",
      "\n%PDF-1.3",
      "\x89PNG\r\n\x1a\n",
      "GIF89a\x01\0\x01\0\x80",
      "\xff\xd8\xff\xe0",
      "PK\x03\x04abc",
      "\x1f\x8b\x08abc",
      "RIFF\x01\x02\x03\x04WEBPVP8 ",
      "\x7fELF\x02",
      "OggS\0",
      "ID3\x03\0",
      "\0\0\0\x18ftypmp42",
      "\x28\xb5\x2f\xfdabc",
      "PAR1\x15\x04",
      "filedesc://a.arc 0.0.0.0 20080101000000 text/plain 76\n1 1 InternetArchive\n",
      `${"a/b.html".padEnd(257, "\0")}ustar  \0`,
      "\0\0\0\0\0\0",
      "\xff\xfea\0\0\0",
      "\xff\xfe\0\0a\0\0\0",
    ]) {
      if (text === "\xff\xfea\0\0\0") expect(findBinary(latin1(text))).toBeUndefined();
      else expect(judge(latin1(text)), JSON.stringify(text)).toBe("binary");
    }
  });

  it("names the formats that hold pages, and explains how to read them", () => {
    const zip = (name: string): string => `PK\x03\x04${"\0".repeat(26)}${name}`;
    const office = "Word, Excel or PowerPoint document; save it as HTML first";
    for (const [text, name] of [
      [zip("[Content_Types].xml"), office],
      [zip("word/document.xml"), office],
      ["\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", office],
      [zip("mimetypeapplication/vnd.oasis.opendocument.text"), "OpenDocument; save it as HTML first"],
      [
        zip("mimetypeapplication/epub+zip"),
        "EPUB book; unpack it first: unzip FILE -d BOOK && thresher BOOK",
      ],
      [zip("notes/password.txt"), "zip archive; unpack it first: unzip FILE -d DIR && thresher DIR"],
    ] as const)
      expect(findBinary(latin1(text)), JSON.stringify(text)).toBe(name);
  });

  it("treats words that only look like a binary signature as text", () => {
    for (const text of [
      "GIF89a is a format",
      "PK is a name",
      "RIFF raff and so on",
      "BZh",
      "ID3 tags",
      "%PDF",
      "MZ",
      "BM 12",
      "PAR1 for the course",
      "filedesc:// begins a file of ARC",
    ]) {
      expect(judge(utf8(text)), text).toBe("page");
    }
  });

  it("accepts a page with a few NULs, and text in any charset", () => {
    expect(judge(utf8("<html><p>One\0 two\0\0 three"))).toBe("page");
    expect(judge(latin1("\x1b$B$3$l$O\x1b(B ".repeat(10)))).toBe("page");
    expect(judge(latin1("\xcf\xf0\xe8\xe2\xe5\xf2 \x93\x94"))).toBe("page");
    expect(judge(utf16("<html><p>Grüße"))).toBe("page");
    expect(judge(utf16("Grüße ohne Marke").subarray(2))).toBe("page");
    expect(judge(new Uint8Array(Buffer.from("Привет, мир! Как дела?", "utf16le")))).toBe("page");
    expect(judge(utf8("a\0b\0\0c\0\0\0\0d"))).toBe("binary");
  });
});

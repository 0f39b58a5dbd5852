import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { guessDelimiter, readRows, type Row, type TextLine } from "../../../src/acquire/lists/csv.js";
import { toSeedUrl } from "../../../src/acquire/lists/seed-lines.js";
import { readSeedFile, readSeeds, type SeedOptions, type SeedUrl } from "../../../src/acquire/lists/seeds.js";
import { UsageError, type Outcome } from "../../../src/outcome.js";
import { collectGarbage } from "../../collect-garbage.js";
import { inChunks, utf8 } from "../gather.js";
import { expectLinear } from "../../growth.js";
import { collectAll } from "../../collect-all.js";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "seeds-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const signal = new AbortController().signal;
const show = (outcome: Outcome<SeedUrl>): string =>
  outcome.ok
    ? `${outcome.value.line ?? "-"} ${outcome.value.url}`
    : `${outcome.id.replace(/^.*[/\\]/, "")} ${outcome.reason}: ${outcome.detail ?? ""}`;

/** Returns the seeds and rejects of a file with the given name and data. */
async function read(name: string, data: string | Uint8Array, options: SeedOptions = {}): Promise<string[]> {
  const path = join(folder, name);
  const bytes = typeof data === "string" ? utf8(data) : data;
  writeFileSync(path, bytes);
  return (await collectAll(readSeedFile(path, options, signal))).map(show);
}

async function readStdin(data: string | Uint8Array, options: SeedOptions = {}, size = 5): Promise<string[]> {
  const stdin = inChunks(typeof data === "string" ? utf8(data) : data, size);
  return (await collectAll(readSeedFile("-", { ...options, stdin }, signal))).map(show);
}

describe("toSeedUrl", () => {
  it.each([
    ["https://example.org", "https://example.org/"],
    ["  HTTP://Example.org/A b?c#d  ", "http://example.org/A%20b?c#d"],
    ["example.org", "http://example.org/"],
    ["www.example.org/a?b=http://c", "http://www.example.org/a?b=http://c"],
    ["//example.org/x", "http://example.org/x"],
    ["example.org:8080/x", "http://example.org:8080/x"],
    ["localhost:3000", "http://localhost:3000/"],
    ["localhost/x", "http://localhost/x"],
    ["127.0.0.1:80/x", "http://127.0.0.1/x"],
    ["[::1]:81/x", "http://[::1]:81/x"],
    ["bücher.example/ü", "http://xn--bcher-kva.example/%C3%BC"],
    ["例え.テスト", "http://xn--r8jz45g.xn--zckzah/"],
    ["http:example.org", "http://example.org/"],
  ])("reads %s as %s", (text, url) => {
    expect(toSeedUrl(text)).toEqual({ url });
  });
  it.each([
    ["", "empty"],
    ["word", "not a URL"],
    ["two words", "not a URL"],
    ["example.org and more", "not a URL"],
    ["/path/file.html", "not a URL"],
    ["./urls.txt", "not a URL"],
    ["C:\\urls.txt", "c: is not http or https"],
    ["ftp://example.org/", "ftp: is not http or https"],
    ["mailto:a@example.org", "mailto: is not http or https"],
    ["javascript:alert(1)", "javascript: is not http or https"],
    ["file:///etc/passwd", "file: is not http or https"],
    ["a@example.org", "not a URL"],
    ["http://", "not a URL"],
    ["http://exa mple.org", "not a URL"],
    ["https://example.org/a\tlabel", "a tab or a line break in the URL"],
    [`https://example.org/${"a".repeat(8200)}`, "more than 8192 characters"],
    ["example.org:99999999/", "not a URL"],
    ["http://[::1", "not a URL"],
  ])("rejects %s", (text, problem) => {
    expect(toSeedUrl(text)).toEqual({ problem });
  });
  it("gives a valid URL or a problem for any text", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.webUrl()), (text) => {
        const seed = toSeedUrl(text);
        if ("url" in seed) expect(new URL(seed.url).href).toBe(seed.url);
      }),
    );
  });
});

describe("seed arguments", () => {
  it("can be URLs, files, stdin and hosts, and are read in order", async () => {
    writeFileSync(join(folder, "urls"), "http://file.example/\n");
    mkdirSync(join(folder, "example.org"));
    const inputs = [
      "https://a.example/",
      join(folder, "urls"),
      "-",
      "b.example/x",
      "nothing-there",
      "mistyped.txt",
      "mistyped.csv.gz",
      "ftp://c.example/",
      "https://",
    ];
    const stdin = inChunks(utf8("http://stdin.example/\nbad line\n"), 3);
    const outcomes = await collectAll(readSeeds(inputs, { stdin }, signal));
    expect(outcomes.map(show)).toEqual([
      "- https://a.example/",
      "1 http://file.example/",
      "1 http://stdin.example/",
      "stdin:2 bad-url: line 2: not a URL: bad line",
      "- http://b.example/x",
      "nothing-there not-found: neither a file nor a URL (URLs begin with https://)",
      "mistyped.txt not-found: neither a file nor a URL (URLs begin with https://)",
      "mistyped.csv.gz not-found: neither a file nor a URL (URLs begin with https://)",
      " bad-url: ftp: is not http or https",
      "https://".replace(/^.*[/\\]/, "") + " not-found: neither a file nor a URL (URLs begin with https://)",
    ]);
    expect(outcomes[0]).toEqual({
      ok: true,
      value: { url: "https://a.example/", input: "https://a.example/" },
    });
    expect(outcomes[1]).toMatchObject({ value: { input: join(folder, "urls"), line: 1 } });
  });
  it("are reported if the file is missing, stdin is missing or the file is a directory", async () => {
    expect(await collectAll(readSeedFile(join(folder, "none.txt"), {}, signal))).toMatchObject([
      { ok: false, reason: "not-found" },
    ]);
    await expect(collectAll(readSeeds(["-"], {}, signal))).rejects.toThrow(UsageError);
    expect(await collectAll(readSeedFile(folder, {}, signal))).toMatchObject([
      { ok: false, reason: "unreadable" },
    ]);
  });
  it("are read no further when the signal aborts", async () => {
    const controller = new AbortController();
    const endless = (async function* () {
      for (let n = 0; ; n += 1) {
        await new Promise((resolve) => setImmediate(resolve));
        yield utf8(`http://example.org/${n}\n`);
      }
    })();
    let count = 0;
    for await (const outcome of readSeeds(
      ["-", "http://never.example/"],
      { stdin: endless },
      controller.signal,
    )) {
      expect(outcome.ok).toBe(true);
      count += 1;
      if (count === 20) controller.abort();
    }
    expect(count).toBeGreaterThanOrEqual(20);
    expect(count).toBeLessThan(40);
  });
});

describe("lists of lines", () => {
  const text =
    "\ufeff# seeds\r\n\r\nhttps://example.org/a\r\n   \n  # more\nexample.org/b#c  \nnot one\nmailto:x@y.example\nhttps://example.org/\t x\nhttp://example.org/z";
  const expected = [
    "3 https://example.org/a",
    "6 http://example.org/b#c",
    "urls.txt:7 bad-url: line 7: not a URL: not one",
    "urls.txt:8 bad-url: line 8: mailto: is not http or https: mailto:x@y.example",
    "urls.txt:9 bad-url: line 9: a tab or a line break in the URL: https://example.org/\t x",
    "10 http://example.org/z",
  ];
  it("give a URL or a reject for each line", async () => {
    expect(await read("urls.txt", text)).toEqual(expected);
  });
  it.each<[string, Uint8Array]>([
    ["gzip", gzipSync(text)],
    ["gzip in members", Buffer.concat([gzipSync(text.slice(0, 30)), gzipSync(text.slice(30))])],
    ["UTF-16", Buffer.from(text, "utf16le")],
    ["UTF-16 in big-endian order", Buffer.from(text, "utf16le").swap16()],
    ["UTF-16 in gzip", gzipSync(Buffer.from(text, "utf16le"))],
  ])("are read the same from %s, in chunks of any size", async (_what, bytes) => {
    for (const size of [1, 2, 7, 100_000])
      expect((await readStdin(bytes, {}, size)).map((line) => line.replace("stdin:", "urls.txt:"))).toEqual(
        expected,
      );
  });
  it("lose only a line that is too long or not UTF-8", async () => {
    const bytes = Buffer.concat([
      utf8("http://a.example/\n"),
      Uint8Array.of(0x68, 0xff, 0xfe, 0x0a),
      utf8(`http://b.example/${"x".repeat(2000)}\nhttp://c.example/\n`),
    ]);
    expect(await readStdin(bytes, { maxLineBytes: 1000 }, 100)).toEqual([
      "1 http://a.example/",
      "stdin:2 bad-url: line 2: not UTF-8",
      "stdin:3 bad-url: line 3: the line is too long",
      "4 http://c.example/",
    ]);
  });
  it("give no seeds if they are empty", async () => {
    expect(await read("empty.txt", "")).toEqual([]);
    expect(await read("blank.txt", "\n \n# x\n")).toEqual([]);
    expect(await read("none.csv", "\n# x\n")).toEqual([]);
  });
  it("are rejected if they are XML or an image", async () => {
    expect(await read("map.xml", "\n<?xml version='1.0'?><urlset>")).toEqual([
      "map.xml not-a-list: XML or HTML; give the URL of a sitemap or feed instead",
    ]);
    expect(await read("x.png", Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a))).toEqual([
      "x.png binary: PNG image",
    ]);
  });
  it("give the complete URLs of a damaged file", async () => {
    const urls = Array.from(
      { length: 3000 },
      (_, n) => `http://example.org/${n}-${(n * 2654435761) % 1000003}`,
    );
    const packed = gzipSync(urls.join("\n"));
    const found = await read("urls.txt.gz", packed.subarray(0, packed.length - 100));
    expect(found.at(-1)).toMatch(/^urls\.txt\.gz broken-gzip: .*\(after line \d+\)/);
    const got = found.slice(0, -1).map((line) => line.replace(/^\d+ /, ""));
    expect(got.length).toBeGreaterThan(2500);
    expect(got).toEqual(urls.slice(0, got.length));
  });
  it("are streamed, so that memory does not grow with the list", async () => {
    const stdin = (async function* () {
      const chunk = utf8("http://example.org/a/path/that/is/as/long/as/most/are.html?x=1\n".repeat(1000));
      for (let n = 0; n < 400; n += 1) {
        if (n % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
        yield chunk;
      }
    })();
    const held: number[] = [];
    let count = 0;
    for await (const outcome of readSeedFile("-", { stdin }, signal)) {
      count += outcome.ok ? 1 : 0;
      if (count === 100_000 || count === 400_000) {
        collectGarbage();
        held.push(process.memoryUsage().heapUsed);
      }
    }
    expect(count).toBe(400_000);
    const [early = 0, late = 0] = held;
    expect(early).toBeGreaterThan(0);
    expect(late - early).toBeLessThan(10_000_000);
  }, 60_000);
});

describe("tables", () => {
  const lineOf = (found: string[]): string[] => found.map((line) => line.replace("http://example.org", ""));
  it.each<[string, string, string, string | undefined, string[]]>([
    [
      "a usual name",
      "t.csv",
      'title,URL,n\nA,http://example.org/a,1\n"B, C",http://example.org/b,2\n',
      undefined,
      ["2 /a", "3 /b"],
    ],
    ["a name", "t.csv", "a,b\nx,http://example.org/a\n", "b", ["2 /a"]],
    ["a name in another case", "t.csv", "A, Page URL \nx,http://example.org/a\n", "page url", ["2 /a"]],
    ["a number, with header", "t.csv", "a,b\nx,http://example.org/a\n", "2", ["2 /a"]],
    ["a number, without", "t.csv", "x,http://example.org/0\nx,http://example.org/a\n", "2", ["1 /0", "2 /a"]],
    [
      "searching the columns",
      "t.csv",
      "1,http://example.org/0\n2,http://example.org/a\n",
      undefined,
      ["1 /0", "2 /a"],
    ],
    [
      "one column with commas",
      "t.csv",
      'seeds\nhttp://example.org/a,b;c\n"http://example.org/d"\n',
      undefined,
      ["2 /a,b;c", "3 /d"],
    ],
    ["semicolons", "t.csv", 'name;url\n"x;y";http://example.org/a,b\n', undefined, ["2 /a,b"]],
    ["tabs", "t.tsv", "name\turl\nx\thttp://example.org/a\n", undefined, ["2 /a"]],
    [
      "tabs, and quotes that have no meaning",
      "t.tsv",
      'name\turl\n"x\thttp://example.org/a\n5" y\thttp://example.org/b\n"q\tq"\thttp://example.org/c\n',
      undefined,
      ["2 /a", "3 /b", "4 /c"],
    ],
    ["tabs on stdin", "noname", "name\turl\nx\thttp://example.org/a\n", "url", ["2 /a"]],
    [
      "line breaks in cells",
      "t.csv",
      't,url\n"x\n\ny ""z""",http://example.org/a\nw,http://example.org/b\n',
      undefined,
      ["2 /a", "5 /b"],
    ],
    [
      "a quote in the middle",
      "t.csv",
      't,url\n5" disk,http://example.org/a\nx,http://example.org/b\n',
      undefined,
      ["2 /a", "3 /b"],
    ],
    ["text after a quote", "t.csv", 't,url\n"x"y,http://example.org/a\n', undefined, ["2 /a"]],
    [
      "an unclosed quote",
      "t.csv",
      'url,t\nhttp://example.org/a,"x\nhttp://example.org/b,y\nhttp://example.org/c,z\n',
      undefined,
      ["t.csv:2 bad-record: line 2: an unclosed quote", "3 /b", "4 /c"],
    ],
    [
      "two unclosed quotes",
      "t.csv",
      'url,t\nhttp://example.org/a,"x\nhttp://example.org/b,"y\nhttp://example.org/c,z\n',
      undefined,
      [
        "t.csv:2 bad-record: line 2: an unclosed quote",
        "t.csv:3 bad-record: line 3: an unclosed quote",
        "4 /c",
      ],
    ],
    [
      "rows of any length",
      "t.csv",
      "a,url\nx\nx,http://example.org/a,z,z\n,\n\nx,,\n# x,http://example.org/no\n",
      undefined,
      [
        "t.csv:2 bad-record: line 2: column 2 is empty",
        "3 /a",
        "t.csv:6 bad-record: line 6: column 2 is empty",
      ],
    ],
    [
      "no such column",
      "t.csv",
      "a,b\nx,http://example.org/a\n",
      "c",
      ["t.csv:1 bad-record: line 1: no column c; there are: a, b"],
    ],
    ["no such number", "t.csv", "a,b\n", "3", ["t.csv:1 bad-record: line 1: no column 3; there are only 2"]],
    [
      "no column that could hold URLs",
      "t.csv",
      "a,b\nx,y\n",
      undefined,
      ["t.csv:1 bad-record: line 1: no column is called url; name one of: a, b"],
    ],
    [
      "an invalid URL",
      "t.csv",
      "url\nword\nhttp://example.org/a\n",
      undefined,
      ["t.csv:2 bad-url: line 2: not a URL: word", "3 /a"],
    ],
    [
      "a comment, a byte order mark and CR LF",
      "t.csv",
      "\ufeff# x\r\n\r\nurl,a\r\nhttp://example.org/a,1\r\n",
      undefined,
      ["4 /a"],
    ],
  ])("are read by column: %s", async (_what, name, text, column, expected) => {
    const options = column === undefined ? {} : { column };
    expect(lineOf(await read(name, text, options))).toEqual(expected);
  });

  it("lose only the line that has an unclosed quote", async () => {
    const rows = Array.from({ length: 500 }, (_, n) => `http://example.org/${n},${n === 3 ? '"' : ""}x`);
    const found = await read("t.csv", `url,x\n${rows.join("\n")}\n`);
    expect(found.length).toBe(500);
    expect(found.filter((line) => !/^\d/.test(line))).toEqual([
      "t.csv:5 bad-record: line 5: an unclosed quote",
    ]);
  });

  it("take linear time with quotes on every line", async () => {
    const table = (rows: number): string => `url,x\n${'http://example.org/,"x""\n'.repeat(rows)}`;
    const readTable = (text: string) => readStdin(text, { format: "csv" }, 60_000);
    expect(await readTable(table(20_000))).toHaveLength(20_000);
    await expectLinear(20_000, table, readTable);
  });

  it("are split as RFC 4180 defines", async () => {
    const cell = fc.string({ unit: fc.constantFrom("a", ",", '"', "\n", " ", ";", "b"), maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 6 }),
        async (table) => {
          const text = table
            .map((row) => row.map((value) => `"${value.replaceAll('"', '""')}"`).join(","))
            .join("\n");
          const lines = text.split("\n").map((line, index): TextLine => ({ number: index + 1, text: line }));
          const rows: Row[] = [];
          for await (const row of readRows(each(lines), ",")) rows.push(row);
          expect(rows.map((row) => ("cells" in row ? row.cells : row.problem))).toEqual(table);
        },
      ),
    );
  });

  it.each([
    ["a,b;c,d", ","],
    ["a;b;c,d", ";"],
    ["a\tb", "\t"],
    ['"a;b;c",d', ","],
    ["a", ""],
  ])("are split at the delimiter of %s", (line, delimiter) => {
    expect(guessDelimiter(line)).toBe(delimiter);
  });
});

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  for (const item of items) {
    await Promise.resolve();
    yield item;
  }
}

describe("JSON lines", () => {
  const text = `{"url":"http://example.org/a","x":1}
"http://example.org/b"

{"link":"example.org/c"}
{"title":"x"}
{"url":null,"link":"http://example.org/no"}
[1]
{"url":"http://example.org/d"
{"url":"word"}
`;
  it("are objects with a usual field, or strings", async () => {
    expect(await read("urls.jsonl", text)).toEqual([
      "1 http://example.org/a",
      "2 http://example.org/b",
      "4 http://example.org/c",
      "urls.jsonl:5 bad-record: line 5: no field url, uri, link",
      "urls.jsonl:6 bad-record: line 6: the field url is not a string",
      "urls.jsonl:7 not-json: line 7: not an object",
      expect.stringMatching(/^urls\.jsonl:8 not-json: line 8: /),
      "urls.jsonl:9 bad-url: line 9: not a URL: word",
    ]);
  });
  it("are recognised by their content, and may have a field of any name", async () => {
    expect(await readStdin('{"a b":"http://example.org/a"}\n{"url":"x"}\n', { column: "a b" })).toEqual([
      "1 http://example.org/a",
      "stdin:2 bad-record: line 2: no field a b",
    ]);
    expect(
      await readStdin('{"__proto__":"http://example.org/a"}\n{"url":"http://example.org/b"}', {
        column: "constructor",
      }),
    ).toEqual([
      "stdin:1 bad-record: line 1: no field constructor",
      "stdin:2 bad-record: line 2: no field constructor",
    ]);
  });
});

describe("any input", () => {
  it("gives only seeds or rejects, in chunks of any size", async () => {
    const piece = fc.constantFrom(
      "http://example.org/",
      ",",
      '"',
      "\n",
      "\r\n",
      "url",
      "{",
      "}",
      ":",
      "#",
      "\t",
      " ",
      "\ufeff",
      "\0",
      ";",
      "x.y",
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 30 }),
        fc.uint8Array({ maxLength: 8 }),
        fc.constantFrom("text", "csv", "tsv", "jsonl", undefined),
        async (pieces, bytes, format) => {
          const data = Buffer.concat([utf8(pieces.join("")), bytes]);
          const options = format === undefined ? {} : { format };
          const once = await readStdin(data, options, 1000);
          expect(await readStdin(data, options, 3)).toEqual(once);
          for (const line of once) expect(line).toMatch(/^(?:\d+ https?:\/\/|stdin[: ])/);
        },
      ),
    );
  });
});

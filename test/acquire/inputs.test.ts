import { execFileSync, spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { toRoot, toSlashes } from "../../src/acquire/files.js";
import { openInputs, type InputOptions } from "../../src/acquire/inputs.js";
import type { Page } from "../../src/document.js";
import { UsageError, type Outcome } from "../../src/outcome.js";
import { closeAll, serveHttp } from "./http/asking.js";
import { gather, inChunks, summarise, utf8 } from "./gather.js";

const OPTIONS: InputOptions = { maxBytes: 100_000, timeoutMs: 2000 };
const HTML = "<!doctype html><title>A</title><p>Text of the page.</p>";
let dir = "";

const idOf = (outcome: Outcome<Page>): string => (outcome.ok ? outcome.value.id : outcome.id);
const at = (...names: string[]): string => [dir, ...names].join("/");

beforeAll(async () => {
  dir = (await mkdtemp(join(tmpdir(), "thresher-inputs-"))).replaceAll("\\", "/");
  for (const name of ["tree/b/deep", "tree/.hidden", "tree/B", "bare/inner", "odd[1]"])
    await mkdir(at(name), { recursive: true });
  const files: Readonly<Record<string, string | Uint8Array>> = {
    "page.html": HTML,
    "page.html.gz": gzipSync(HTML),
    "notes.txt": "Plain text.",
    "wrong.txt": HTML,
    "records.jsonl": '{"text":"a"}\n{"text":"b"}\n',
    "records.unknown": '{"text":"a"}\n{"text":"b"}\n',
    "records.jsonl.gz": gzipSync('{"text":"a"}\n{"text":"b"}\n'),
    "tree/b/z.html": HTML,
    "tree/b/deep/a.htm": HTML,
    "tree/a.XHTML": HTML,
    "tree/B/c.txt.gz": gzipSync("Text"),
    "tree/d.jsonl": '{"text":"a"}\n',
    "tree/e.pdf": "%PDF-1.4",
    "tree/f": HTML,
    "tree/.g.html": HTML,
    "tree/.hidden/h.html": HTML,
    "bare/inner/readme.md": "# no page",
    "odd[1]/x*.html": HTML,
  };
  for (const [name, content] of Object.entries(files)) await writeFile(at(name), content);
  await symlink(at("tree"), at("tree/b/loop"));
  await symlink(at("nowhere"), at("tree/broken.html"));
});

afterAll(async () => {
  await rm(dir, { recursive: true, force: true });
});

describe("openInputs", () => {
  it.each([
    ["a page", HTML, 1],
    ["records", '{"text":"a"}\n{"text":"b"}\n', 2],
    ["packed records", gzipSync('{"text":"a"}\n{"text":"b"}\n'), 2],
  ])("reads %s from a named pipe", async (name, content, count) => {
    const pipe = at(`${name}.pipe`);
    execFileSync("mkfifo", [pipe]);
    const [outcomes] = await Promise.all([
      gather(openInputs([pipe], OPTIONS)),
      // Waits for the reader, because data is lost if the pipe is closed before the reader opens it.
      writeFile(pipe, content, { flag: "w" }),
    ]);
    expect(outcomes.map(({ ok }) => ok)).toEqual(Array(count).fill(true));
  });

  it("rejects a table with advice, unless the caller asks to read it as text", async () => {
    const table = "id,text\na,The tide came in.\nb,The tide went out.\n";
    await writeFile(at("pages.csv"), table);
    await writeFile(at("pages.TSV.gz"), gzipSync(table.replaceAll(",", "\t")));
    await writeFile(at("tokens.conllu"), "# text = The tide.\n1\tThe\tthe\tDET\n2\ttide\ttide\tNOUN\n");
    await writeFile(at("tokens.vrt"), '<text id="1">\n<s>\nThe\tDET\ntide\tNOUN\n</s>\n</text>\n');
    await writeFile(at("really.csv"), HTML);
    const tables = ["pages.csv", "pages.TSV.gz", "tokens.conllu", "tokens.vrt"];
    const names = [...tables, "really.csv"].map((name) => at(name));
    const outcomes = await gather(openInputs(names, OPTIONS));
    const advice =
      "a table, by its name (CSV, TSV, CoNLL-U, VRT); convert it to JSON Lines or Parquet, or read it as one text with --from text";
    expect(
      outcomes.map((outcome) => (outcome.ok ? "page" : `${outcome.reason}: ${outcome.detail ?? ""}`)),
    ).toEqual([...tables.map(() => `not-a-page: ${advice}`), "page"]);
    const asText = await gather(openInputs(names, { ...OPTIONS, from: "text" }));
    expect(asText.map(({ ok }) => ok)).toEqual(names.map(() => true));
  });

  it("rejects a list of addresses with advice, unless the caller asks to read it as text", async () => {
    const list = `\ufeffhttps://example.org/\r\n\nhttp://example.org/${"a".repeat(50)}\n`;
    await writeFile(at("urls.txt"), list.repeat(2000));
    await writeFile(at("first.txt"), "https://example.org/\nThe tide came in.\n");
    const names = ["urls.txt", "first.txt"].map((name) => at(name));
    const [urls, first] = await gather(openInputs(names, OPTIONS));
    expect(urls).toMatchObject({
      reason: "not-a-page",
      detail:
        "a list of addresses; thresher crawl FILE -o DIR fetches them, and --from text reads it as one text",
    });
    expect(first?.ok).toBe(true);
    const asText = await gather(openInputs(names, { ...OPTIONS, maxBytes: 1e6, from: "text" }));
    expect(asText.map(({ ok }) => ok)).toEqual([true, true]);
  });

  it("reads files in the given order, with the path as id", async () => {
    const names = ["page.html", "notes.txt", "page.html.gz", "page.html"].map((name) => at(name));
    const outcomes = await gather(openInputs(names, OPTIONS));
    expect(outcomes.map(idOf)).toEqual(names);
    expect(outcomes.map((outcome) => outcome.ok && outcome.value.content)).toEqual([
      { kind: "bytes", format: "html", bytes: Buffer.from(HTML) },
      { kind: "bytes", format: "text", bytes: Buffer.from("Plain text.") },
      { kind: "bytes", format: "html", bytes: Buffer.from(HTML) },
      { kind: "bytes", format: "html", bytes: Buffer.from(HTML) },
    ]);
  });

  it("reads a packed page with other bytes after it, and every record after NULs", async () => {
    const page = gzipSync(HTML);
    const cut = page.subarray(0, -9);
    for (const rest of ["x", "\n", "\0", "\0\0x", "not gzip"]) {
      const stdin = inChunks(Buffer.concat([page, Buffer.from(rest)]), 1000);
      expect(summarise(await gather(openInputs(["-"], { ...OPTIONS, stdin }))), rest).toEqual(["page"]);
    }
    for (const rest of [Buffer.from([0x1f]), cut]) {
      const stdin = inChunks(Buffer.concat([page, rest]), 1000);
      expect(summarise(await gather(openInputs(["-"], { ...OPTIONS, stdin })))).toEqual(["broken-gzip"]);
    }
    const line = (text: string): Uint8Array => gzipSync(`{"text":"${text}"}\n`);
    const log = Buffer.concat([line("a"), Buffer.alloc(20_000), line("b"), Buffer.from("\0x")]);
    const outcomes = await gather(openInputs(["-"], { ...OPTIONS, stdin: inChunks(log, 1000) }));
    expect(summarise(outcomes)).toEqual(["page", "page", "broken-gzip"]);
    expect(outcomes[2]).toMatchObject({
      detail: "the bytes after the last gzip member are not gzip, and were not read (after line 2)",
    });
  });

  it("detects the kind by content first and by name second, and lets --from override both", async () => {
    const formats = async (name: string, from?: "html" | "text" | "jsonl"): Promise<unknown> =>
      (await gather(openInputs([at(name)], { ...OPTIONS, ...(from && { from }) }))).map((outcome) =>
        outcome.ok
          ? outcome.value.content.kind === "bytes"
            ? outcome.value.content.format
            : "record"
          : outcome.reason,
      );
    expect(await formats("wrong.txt")).toEqual(["html"]);
    expect(await formats("wrong.txt", "text")).toEqual(["text"]);
    expect(await formats("records.unknown")).toEqual(["record", "record"]);
    expect(await formats("records.jsonl.gz")).toEqual(["record", "record"]);
    expect(await formats("records.jsonl.gz", "text")).toEqual(["text"]);
    expect(await formats("records.jsonl.gz", "jsonl")).toEqual(["record", "record"]);
    expect(await formats("page.html.gz", "jsonl")).toEqual(["not-json"]);
    expect(await formats("tree/e.pdf", "jsonl")).toEqual(["binary"]);
    expect(await formats("tree/e.pdf", "text")).toEqual(["binary"]);
  });

  it("continues after a file that does not exist or cannot be read", async () => {
    await writeFile(at("locked.html"), HTML);
    await chmod(at("locked.html"), 0);
    const outcomes = await gather(
      openInputs(
        [at("none.html"), at("page.html", "below"), "a\0b", `x${"y".repeat(5000)}`, at("page.html")],
        OPTIONS,
      ),
    );
    expect(summarise(outcomes)).toEqual(["not-found", "not-found", "not-found", "not-found", "page"]);
    if (process.getuid?.() === 0) return; // root can read every file
    expect(summarise(await gather(openInputs([at("locked.html")], OPTIONS)))).toEqual(["unreadable"]);
  });

  it("searches a directory in the order of paths, without hidden files and without following link cycles", async () => {
    for (const given of [at("tree"), at("tree/")]) {
      const outcomes = await gather(openInputs([given], OPTIONS));
      expect(outcomes.map(idOf)).toEqual([
        at("tree/B/c.txt.gz"),
        at("tree/a.XHTML"),
        at("tree/b/deep/a.htm"),
        at("tree/b/z.html"),
        at("tree/broken.html"),
        at("tree/d.jsonl:1"),
      ]);
      expect(summarise(outcomes)).toEqual(["page", "page", "page", "page", "not-found", "page"]);
    }
  });

  it("suggests https:// for an address that has no scheme", async () => {
    const inputs = ["example.org", "www.example.org/post", "localhost", "none.html", "notes.txt.gz"];
    const outcomes = await gather(openInputs(inputs, OPTIONS));
    expect(summarise(outcomes)).toEqual(inputs.map(() => "not-found"));
    expect(
      outcomes.map((outcome) => (outcome.ok ? "" : (outcome.detail ?? "").includes("https://"))),
    ).toEqual([true, true, false, false, false]);
  });

  it.runIf(process.platform === "linux")(
    "closes files that are not the records that their names promise",
    async () => {
      const names = Array.from({ length: 20 }, (_, number) => at(`binary${number}.jsonl`));
      for (const name of names)
        await writeFile(name, Buffer.concat([Buffer.from("%PDF-1.7\n"), Buffer.alloc(300_000)]));
      const before = readdirSync("/proc/self/fd").length;
      const outcomes = await gather(openInputs(names, OPTIONS));
      expect(summarise(outcomes)).toEqual(names.map(() => "binary"));
      await vi.waitFor(() => {
        expect(readdirSync("/proc/self/fd").length).toBeLessThan(before + 10);
      });
    },
  );

  it("counts the files of a folder that it skips", async () => {
    const source = openInputs([at("bare"), at("page.html")], OPTIONS);
    await gather(source);
    expect(source.otherFiles()).toBeGreaterThan(0);
    const one = openInputs([at("page.html")], OPTIONS);
    await gather(one);
    expect(one.otherFiles()).toBe(0);
    const tree = openInputs([at("tree")], OPTIONS);
    await gather(tree);
    expect([tree.otherFiles(), tree.hiddenFiles()]).toEqual([2, 1]);
  });

  it.runIf(process.platform === "linux")("reports a file name that is not valid UTF-8", async () => {
    const folder = at("names");
    await mkdir(folder);
    await writeFile(
      Buffer.concat([Buffer.from(`${folder}/caf`), Buffer.from([0xe9]), Buffer.from(".html")]),
      "<p>x",
    );
    for (const input of [folder, `${folder}/*`, `${folder}/caf\ufffd.html`]) {
      const [outcome] = await gather(openInputs([input], OPTIONS));
      expect(outcome).toMatchObject({
        ok: false,
        reason: "unreadable",
        detail: expect.stringContaining("not UTF-8") as string,
      });
    }
  });

  it("reports that a directory holds no pages", async () => {
    const outcomes = await gather(openInputs([at("bare"), at("page.html")], OPTIONS));
    expect(outcomes[0]).toMatchObject({ id: at("bare"), reason: "not-found" });
    expect(outcomes[0]).toHaveProperty("detail", expect.stringContaining("no pages in this directory"));
    const glob = `${at("bare")}/**/*`;
    expect(outcomes[0]).toHaveProperty(
      "detail",
      expect.stringContaining(`; "${glob}" reads files with other names`),
    );
    expect(await gather(openInputs([glob], OPTIONS))).not.toHaveLength(0);
    expect(outcomes[1]?.ok).toBe(true);
  });

  it("expands a glob in sorted order, and opens a file whose name only looks like a glob", async () => {
    const found = await gather(openInputs([at("tree/**/*.{html,htm}")], OPTIONS));
    // The pattern may follow the link back into the tree; each real file must be found.
    expect(found.map(idOf)).toEqual(expect.arrayContaining([at("tree/b/deep/a.htm"), at("tree/b/z.html")]));
    expect(found.map(idOf)).toEqual(found.map(idOf).sort());
    expect((await gather(openInputs([at("odd[1]/x*.html")], OPTIONS))).map(idOf)).toEqual([
      at("odd[1]/x*.html"),
    ]);
    expect(await gather(openInputs([at("*.nothing")], OPTIONS))).toMatchObject([
      { reason: "not-found", detail: "no file matches" },
    ]);
  });

  it("treats the backslashes of Windows as slashes, and a drive as its root", () => {
    expect(toSlashes("C:\\pages\\**\\*.html", "\\")).toBe("C:/pages/**/*.html");
    expect(toSlashes("odd\\[1]/*.html", "/")).toBe("odd\\[1]/*.html");
    expect(
      ["pages\\", "C:\\pages\\old\\", "D:\\", "D:", "\\\\server\\share\\"].map((name) => toRoot(name, "\\")),
    ).toEqual(["pages", "C:/pages/old", "D:/", "D:", "//server/share"]);
    expect(["pages//", "/", "./"].map((name) => toRoot(name, "/"))).toEqual(["pages", "/", "."]);
  });

  it("reads stdin in chunks of any size, also with gzip", async () => {
    for (const bytes of [utf8(HTML), new Uint8Array(gzipSync(HTML))]) {
      for (const size of [1, 10, 1 << 20]) {
        const outcomes = await gather(openInputs(["-"], { ...OPTIONS, stdin: inChunks(bytes, size) }));
        expect(outcomes).toEqual([
          {
            ok: true,
            value: {
              id: "stdin",
              url: "",
              content: { kind: "bytes", format: "html", bytes: Buffer.from(HTML) },
            },
          },
        ]);
      }
    }
    expect(summarise(await gather(openInputs(["-"], { ...OPTIONS, stdin: inChunks(utf8(""), 1) })))).toEqual([
      "empty",
    ]);
  });

  it("yields each record of a slow pipe as soon as its line is complete", async () => {
    const stdin = new PassThrough();
    const pages = openInputs(["-"], { ...OPTIONS, stdin })
      .pages(new AbortController().signal)
      [Symbol.asyncIterator]();
    for (const text of ["a", "b"]) {
      stdin.write(`{"text":"${text}"}\n`);
      expect((await pages.next()).value).toMatchObject({ ok: true, value: { content: { text } } });
    }
    stdin.end();
    expect((await pages.next()).done).toBe(true);
  });

  it.each([
    ['{"id":"0","a":1}', "bad-record"],
    ['{"bytes":""}', "empty"],
    ["[]", "not-json"],
  ])(
    "yields the reject of a short first line at once if the input is said to be records: %s",
    async (line, reason) => {
      const stdin = new PassThrough();
      const pages = openInputs(["-"], { ...OPTIONS, from: "jsonl", stdin }).pages();
      stdin.write(`${line}\n`);
      expect((await pages.next()).value).toMatchObject({ ok: false, reason });
      stdin.end();
    },
  );

  it("rejects input larger than maxBytes, compressed or not, and reads input of exactly that size", async () => {
    const stdin = (size: number, pack: boolean) => {
      const bytes = new Uint8Array(size).fill(0x61);
      return inChunks(pack ? new Uint8Array(gzipSync(bytes)) : bytes, 50_000);
    };
    for (const pack of [false, true]) {
      expect(summarise(await gather(openInputs(["-"], { ...OPTIONS, stdin: stdin(100_000, pack) })))).toEqual(
        ["page"],
      );
      expect(summarise(await gather(openInputs(["-"], { ...OPTIONS, stdin: stdin(100_001, pack) })))).toEqual(
        ["too-large"],
      );
    }
  });

  it("names the format of a file that is not a page, even if it is too large", async () => {
    const arc = "filedesc://a.arc 0.0.0.0 20080101000000 text/plain 76\n1 1 InternetArchive\n".padEnd(
      200_000,
    );
    await writeFile(at("a.arc.gz"), gzipSync(arc));
    await writeFile(at("large.txt"), "x".repeat(200_000));
    await writeFile(
      at("dump.xml"),
      `<mediawiki>${"<page><text>Text</text></page>".repeat(5000)}</mediawiki>`,
    );
    const files = ["a.arc.gz", "large.txt", "dump.xml"].map((name) => at(name));
    const outcomes = await gather(openInputs(files, OPTIONS));
    expect(outcomes).toMatchObject([
      { ok: false, reason: "binary", detail: expect.stringMatching(/^ARC.*: warcio recompress /) as string },
      { ok: false, reason: "too-large", detail: expect.stringContaining("JSON Lines") as string },
      { ok: false, reason: "not-a-page", detail: expect.stringContaining("MediaWiki") as string },
    ]);
  });

  it("reports once that records in UTF-16 have to be converted to UTF-8", async () => {
    const records = '\uFEFF{"text":"a"}\r\n{"text":"b"}\r\n';
    const swapped = Buffer.from(records, "utf16le").swap16();
    for (const bytes of [Buffer.from(records, "utf16le"), swapped, gzipSync(swapped)]) {
      await writeFile(at("wide.jsonl"), bytes);
      expect(await gather(openInputs([at("wide.jsonl")], OPTIONS))).toMatchObject([
        {
          ok: false,
          id: at("wide.jsonl"),
          reason: "not-json",
          detail: expect.stringContaining("iconv -f UTF-16 -t UTF-8 FILE | thresher -") as string,
        },
      ]);
    }
  });

  it("reports records in UTF-16 without a byte order mark once, too, with their byte order", async () => {
    const records = Buffer.from('\n {"text":"日本語の文章"}\r\n{"text":"b"}\r\n', "utf16le");
    for (const [bytes, name] of [
      [records, "UTF-16LE"],
      [Buffer.from(records).swap16(), "UTF-16BE"],
    ] as const) {
      await writeFile(at("bare.jsonl"), bytes);
      expect(await gather(openInputs([at("bare.jsonl")], OPTIONS))).toMatchObject([
        {
          ok: false,
          id: at("bare.jsonl"),
          reason: "not-json",
          detail: expect.stringContaining(`iconv -f ${name} -t UTF-8 FILE | thresher -`) as string,
        },
      ]);
    }
  });

  it("explains how to repair a record that is not UTF-8, and reads the others", async () => {
    await writeFile(
      at("byte.jsonl"),
      Buffer.from('{"text":"caf\xe9"}\n{"text":"th\xe9 ou tisane"}\n{"text":"tea"}\n', "latin1"),
    );
    const detail = expect.stringContaining("not UTF-8; iconv -f UTF-8 -t UTF-8 -c") as string;
    expect(await gather(openInputs([at("byte.jsonl")], OPTIONS))).toMatchObject([
      { ok: false, reason: "not-json", detail },
      { ok: false, reason: "not-json", detail },
      { ok: true },
    ]);
  });

  it("throws for impossible inputs and options", () => {
    expect(() => openInputs(["-"], OPTIONS)).toThrow(UsageError);
    expect(() => openInputs(["https://example.org/"], { ...OPTIONS, from: "jsonl" })).toThrow(UsageError);
  });

  it("says that a file of records has to be downloaded, unless the server shows it in a page", async () => {
    const warc = gzipSync("WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 0\r\n\r\n\r\n\r\n");
    const answers: Readonly<Record<string, readonly [type: string, body: string | Uint8Array]>> = {
      "/crawl.wacz?key=1": ["application/octet-stream", "PK\x03\x04"],
      "/crawl.warc.gz": ["application/gzip", warc],
      "/dump.jsonl": ["text/plain", '{"text":"a"}\n'],
      "/blob/dump.jsonl": ["text/html", HTML],
      "/image.png": ["image/png", "PNG"],
    };
    const port = await serveHttp((request, response) => {
      const [type, body] = answers[request.url ?? ""] ?? [];
      response.writeHead(200, { "content-type": type });
      response.end(body);
    });
    try {
      const urls = Object.keys(answers).map((path) => `http://127.0.0.1:${port}${path}`);
      const advice = expect.stringMatching(
        /(?:^|; )records are read from files; download it first$/,
      ) as string;
      expect(await gather(openInputs(urls, OPTIONS))).toMatchObject([
        { reason: "unsupported-type", detail: advice },
        { reason: "not-a-page", detail: advice },
        { reason: "not-a-page", detail: advice },
        { ok: true },
        { reason: "unsupported-type", detail: "image/png" },
      ]);
    } finally {
      await closeAll();
    }
  });

  it("treats an input with a scheme as a URL", async () => {
    const outcomes = await gather(openInputs(["ftp://example.org/a.html", "mailto://x"], OPTIONS));
    expect(summarise(outcomes)).toEqual(["bad-url", "bad-url"]);
  });
});

describe("isSingle", () => {
  const ask = async (inputs: readonly string[], options: Partial<InputOptions> = {}): Promise<boolean> => {
    const source = openInputs(inputs, { ...OPTIONS, ...options });
    for await (const outcome of source.pages(new AbortController().signal)) {
      expect(outcome).toBeDefined();
      break;
    }
    return source.isSingle();
  };

  it("is true for one URL, one page, and stdin that holds a page", async () => {
    expect(await ask(["http://127.0.0.1:1/"])).toBe(true);
    expect(await ask([at("page.html.gz")])).toBe(true);
    expect(await ask([at("none.html")])).toBe(true);
    expect(await ask(["-"], { stdin: inChunks(utf8(HTML), 5) })).toBe(true);
  });

  it("is false for several inputs, directories, globs and records, whatever their names", async () => {
    expect(await ask([at("page.html"), at("page.html")])).toBe(false);
    expect(await ask([at("tree")])).toBe(false);
    expect(await ask([at("page.htm*")])).toBe(false);
    expect(await ask([at("records.jsonl")])).toBe(false);
    expect(await ask([at("records.unknown")])).toBe(false);
    expect(await ask(["-"], { stdin: inChunks(utf8('{"text":"a"}'), 5) })).toBe(false);
    expect(openInputs([at("records.jsonl")], OPTIONS).isSingle()).toBe(false);
  });
});

describe("an aborted source", () => {
  it("ends at once and without an error while stdin sends nothing", async () => {
    for (const start of ["", "<html>", '{"text":"a"}\n{"te', "\x1f\x8b\x08"]) {
      const stdin = new PassThrough();
      if (start !== "") stdin.write(Buffer.from(start, "latin1"));
      const stop = new AbortController();
      setTimeout(() => {
        stop.abort();
      }, 50);
      const outcomes = await gather(openInputs(["-", at("page.html")], { ...OPTIONS, stdin }), stop.signal);
      // A half page or record must become neither a page nor a reject.
      expect(summarise(outcomes)).toEqual(start.startsWith("{") ? ["page"] : []);
      expect(stdin.destroyed).toBe(true);
    }
  });

  it("reads nothing if it was already aborted", async () => {
    expect(
      await gather(openInputs([at("tree"), "http://127.0.0.1:1/"], OPTIONS), AbortSignal.abort()),
    ).toEqual([]);
  });

  it("ends in the middle of a directory, and closes stdin when the reader stops", async () => {
    const stop = new AbortController();
    const seen: string[] = [];
    for await (const outcome of openInputs([at("tree")], OPTIONS).pages(stop.signal)) {
      seen.push(idOf(outcome));
      stop.abort();
    }
    expect(seen).toEqual([at("tree/B/c.txt.gz")]);
    const stdin = new PassThrough();
    stdin.write('{"text":"a"}\n');
    for await (const outcome of openInputs(["-"], { ...OPTIONS, stdin }).pages(
      new AbortController().signal,
    )) {
      expect(outcome.ok).toBe(true);
      break;
    }
    expect(stdin.destroyed).toBe(true);
  });

  it.skipIf(process.platform === "win32")("ends while a named pipe has no writer", async () => {
    const child = spawn("mkfifo", [at("pipe.html")]);
    await new Promise((resolve) => child.on("close", resolve));
    const stop = new AbortController();
    setTimeout(() => {
      stop.abort();
    }, 50);
    expect(await gather(openInputs([at("pipe.html")], OPTIONS), stop.signal)).toEqual([]);
  });

  it("leaves no error behind of a file that could not be opened", async () => {
    const failures: unknown[] = [];
    const onFailure = (error: unknown): void => void failures.push(error);
    process.on("uncaughtException", onFailure);
    expect(await gather(openInputs([at("nowhere")], OPTIONS), AbortSignal.abort())).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 50));
    process.off("uncaughtException", onFailure);
    expect(failures).toEqual([]);
  });
});

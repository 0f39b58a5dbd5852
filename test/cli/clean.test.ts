import { execFile, execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BIN, parseLines, thresher, thresherAlone, thresherMany, type Result } from "./run.js";

/** Readability and the text labeller give exactly the text of this page that was labelled by hand. */
const FOLDER = "fixtures/pages/unclosed-tags";
const ARTICLE = `${FOLDER}/source.html`;
const PAGES = "fixtures/pages/*/source.html";
const html = readFileSync(ARTICLE);
/** Every line of every page by Readability, which takes long and is needed twice. */
let byReadability: Promise<Result> | undefined;
const keepByReadability = (): Promise<Result> =>
  (byReadability ??= thresher([PAGES, "--keep-boilerplate", "--extractor", "readability", "-j", "1"]));
let server: Server;
let origin = "";
let work = "";

beforeAll(async () => {
  work = mkdtempSync(join(tmpdir(), "thresher-cli-"));
  server = createServer((request, response) => {
    if (request.url === "/article") response.setHeader("content-type", "text/html; charset=utf-8").end(html);
    else if (request.url === "/busy") response.writeHead(503).end();
    else if (request.url === "/gone") response.writeHead(404).end();
    // anything else never answers
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // The address of a listening TCP server is an object.
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe("the main job", () => {
  it("prints the article and nothing else", async () => {
    const { code, stdout, stderr } = await thresher([
      ARTICLE,
      "--extractor",
      "readability",
      "--labeller",
      "text",
    ]);
    expect(stdout).toBe(readFileSync(`${FOLDER}/text.txt`, "utf8"));
    expect(stderr).toBe("");
    expect(code).toBe(0);
  });

  it("gives the same text from a URL, stdin at once and byte by byte, a directory, gzip and JSON Lines", async () => {
    const expected = (await thresher([ARTICLE])).stdout;
    expect((await thresher([`${origin}/article`])).stdout).toBe(expected);
    expect((await thresher(["-", "-o", "-"], { stdin: [html] })).stdout).toBe(expected);
    expect(
      (await thresher([], { stdin: Array.from(html.subarray(0), (byte) => Uint8Array.of(byte)) })).stdout,
    ).toBe(expected);
    const file = join(work, "page.html.gz");
    writeFileSync(file, gzipSync(html));
    expect((await thresher([file])).stdout).toBe(expected);
    const jsonl = join(work, "pages.jsonl.gz");
    writeFileSync(
      jsonl,
      gzipSync(
        `${JSON.stringify({ html: html.toString() })}\n${JSON.stringify({ id: 7, html: html.toString() })}\n`,
      ),
    );
    const records = parseLines((await thresher([jsonl])).stdout);
    expect(records.map(({ text }) => `${String(text)}\n`)).toEqual([expected, expected]);
    expect(records.map(({ id }) => id)).toEqual([`${jsonl}:1`, "7"]);
    const folder = join(work, "folder");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "b.html"), html);
    writeFileSync(join(folder, "a.txt"), "En rad. Den här texten är ren.\n");
    const found = parseLines((await thresher([folder, "--labeller", "none"])).stdout);
    expect(found.map(({ id }) => id)).toEqual([`${folder}/a.txt`, `${folder}/b.html`]);
  });

  it.each(["page", "readability"])(
    "gives the same bytes for one and two workers with %s",
    async (extractor) => {
      const args = [PAGES, "--keep-boilerplate", "--extractor", extractor];
      const alone = extractor === "readability" ? keepByReadability() : thresher([...args, "-j", "1"]);
      const [one, two] = await Promise.all([alone, thresher([...args, "-j", "2"])]);
      expect(one.code).toBe(0);
      expect(one.stdout.length).toBeGreaterThan(100_000);
      expect(two.stdout).toBe(one.stdout);
    },
  );

  it("puts every page of a directory either into the output or into the rejects", async () => {
    const rejects = join(work, "rejects.jsonl");
    const { stdout } = await thresher([PAGES, "fixtures/text/*/source.txt", "--rejects", rejects]);
    const ids = [...parseLines(stdout), ...parseLines(readFileSync(rejects, "utf8"))].map(({ id }) => id);
    const sources = [
      ...readdirSync("fixtures/pages").map((slug) => `fixtures/pages/${slug}/source.html`),
      ...readdirSync("fixtures/text").map((slug) => `fixtures/text/${slug}/source.txt`),
    ];
    expect(ids.sort()).toEqual(sources.sort());
  });
});

describe("the output", () => {
  it("keeps every given line one to one", async () => {
    const lines = ["Home", "", "  Some sentence that says a lot, and then another one.  ", "Home", "\u00ad"];
    const { stdout } = await thresher(["-", "--from", "jsonl", "--keep-boilerplate"], {
      stdin: [JSON.stringify({ id: "x", lines })],
    });
    const [record] = parseLines(stdout);
    const out = record?.["lines"] as { text: string; label: string; score: number; grade: string }[];
    expect(out).toHaveLength(lines.length);
    expect(out[1]).toMatchObject({ text: "", label: "boilerplate", why: "blank-line", score: 0, grade: "j" });
    for (const { score, grade } of out) {
      expect(score).toBe(Number(score.toFixed(3)));
      expect(grade).toMatch(/^[a-j]$/);
    }
  });

  it("keeps every line of the page, and the same text, with and without boilerplate", async () => {
    const runs = [
      thresher([PAGES, "--to", "jsonl", "--extractor", "readability"]),
      keepByReadability(),
      thresher([PAGES, "--keep-boilerplate", "--extractor", "body"]),
    ];
    const [plain, kept, body] = (await Promise.all(runs)).map(({ stdout }) => parseLines(stdout));
    const texts = new Map(plain?.map(({ id, text }) => [id, text]));
    for (const { id, text } of kept ?? []) expect(text, String(id)).toBe(texts.get(id) ?? "");
    expect(kept?.length).toBe(body?.length);
    type Lines = { text: string; label: string; why?: string; score: number }[];
    const first = kept?.find(({ id }) => id === ARTICLE)?.["lines"] as Lines;
    const whole = body?.find(({ id }) => id === ARTICLE)?.["lines"] as Lines;
    expect(first.map(({ text }) => text)).toEqual(whole.map(({ text }) => text));
    const leftOut = first.filter(({ why }) => why === "readability");
    expect(leftOut.length).toBeGreaterThan(5);
    expect(new Set(leftOut.map(({ label }) => label))).toEqual(new Set(["boilerplate"]));
    expect(new Set(leftOut.map(({ score }) => score)).size).toBeGreaterThan(3);
  });

  it.each(["page", "body"])(
    "maps every line of a page to its place in the source with %s",
    async (extractor) => {
      const { stdout } = await thresher([
        ARTICLE,
        "--to",
        "jsonl",
        "--keep-boilerplate",
        "--extractor",
        extractor,
      ]);
      const source = html.toString();
      const [record] = parseLines(stdout);
      const lines = record?.["lines"] as { text: string; span: [number, number]; path: string }[];
      expect(lines.length).toBeGreaterThan(20);
      for (const { text, span, path } of lines) {
        expect(path).toMatch(/^body/);
        const words = text.match(/[\p{L}\d]+/gu) ?? [];
        expect(source.slice(...span), text).toContain(words[0] ?? "");
        expect(source.slice(...span), text).toContain(words.at(-1) ?? "");
      }
    },
  );

  it("keeps, drops or selects comments", async () => {
    const blog = "fixtures/pages/blog-with-comments-fi/source.html";
    const story = "Sain leivänjuuren anopilta";
    const comment = "Nauroin ääneen villapaidalle.";
    const form = "Jätä kommentti";
    const rules = ["--labeller", "rules"];
    const runs = [
      ...["auto", "drop", "only", "keep"].map((comments) => ["--labeller", "none", "--comments", comments]),
      [...rules, "--threshold", "0.95"],
      [...rules, "--comments", "keep"],
      ["--labeller", "none", "--comments", "drop", "--keep-boilerplate"],
    ];
    const results = await thresherMany(runs.map((args) => ({ args: [blog, ...args] })));
    const [auto, drop, only, keep, strict, kept, table] = results.map(({ stdout }) => stdout);
    for (const part of [story, comment, form]) expect(auto).toContain(part);
    expect([story, comment, form].map((part) => drop?.includes(part))).toEqual([true, false, true]);
    expect([story, comment, form].map((part) => only?.includes(part))).toEqual([false, true, false]);
    expect(keep).toBe(auto);
    // A labeller that requires long lines calls this one boilerplate; read by itself, it is a comment.
    const short = "Kiitos Pekka!";
    expect(strict?.length).toBeGreaterThan(100);
    expect(strict).not.toContain(short);
    expect(kept).toContain(short);
    expect(table).toMatch(/\tboilerplate\tcomment\tNauroin/);
    const { code, stderr } = await thresher([ARTICLE, "--comments", "only", "--labeller", "none"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/no-content: .*none of them in comments/);
  });

  it("writes records that the trainer can read", async () => {
    const file = join(work, "gold.jsonl");
    await thresher([ARTICLE, "--keep-boilerplate", "--labeller", "rules", "-o", file, "--to", "jsonl"]);
    const [record] = parseLines(readFileSync(file, "utf8"));
    const lines = record?.["lines"] as Record<string, unknown>[];
    const [line] = lines;
    expect(Object.keys(line ?? {})).toEqual(
      expect.arrayContaining(["path", "block", "linkChars", "breakBefore"]),
    );
    const { code, stderr } = await thresher(["features", file, "-o", join(work, "features")]);
    expect([code, stderr]).toEqual([0, expect.stringContaining("1 document")]);
  });

  it("writes one file per document into a directory", async () => {
    const folder = join(work, "texts");
    const { code } = await thresher([
      ARTICLE,
      "fixtures/pages/qa-en/source.html",
      "-o",
      `${folder}/`,
      "--to",
      "markdown",
    ]);
    expect(code).toBe(0);
    expect(readdirSync(folder).sort()).toEqual([
      "fixtures_pages_qa-en_source.md",
      "fixtures_pages_unclosed-tags_source.md",
    ]);
  });

  it("rejects one file for two outputs, and a path without a name", async () => {
    const file = join(work, "both.txt");
    const same = await thresher([ARTICLE, "-o", file, "--rejects", join(work, ".", "both.txt")]);
    expect([same.code, existsSync(file)]).toEqual([2, false]);
    expect(same.stderr).toContain("--output and --rejects");
    expect((await thresher([ARTICLE, "-o", ""])).code).toBe(2);
    expect((await thresher([ARTICLE, "-o", "/dev/null", "--rejects", "/dev/null"])).code).toBe(0);
  });

  it.skipIf(!existsSync("/proc/self"))("gives up on a directory that cannot be created", async () => {
    expect((await thresher([ARTICLE, "-o", "/proc/none/"])).code).toBe(74);
  });

  it("stays as it was if no page could be read, and is empty if all were filtered out", async () => {
    const folder = mkdtempSync(join(tmpdir(), "thresher-earlier-"));
    const page = "fixtures/pages/qa-en/source.html";
    for (const name of ["clean.txt", "clean.json", "clean.jsonl.gz", "clean.parquet"]) {
      const output = join(folder, name);
      await thresher([page, "-o", output]);
      const earlier = readFileSync(output);
      for (const [input, stdin] of [["missing.html"], ["-", ""], [`${origin}/gone`]] as const) {
        const { code, stderr } = await thresher([input, "-o", output], { stdin: [stdin ?? ""] });
        expect([name, code, stderr]).toEqual([name, 1, expect.stringContaining(`${output} stays as it was`)]);
        expect(readFileSync(output).equals(earlier)).toBe(true);
      }
      const filtered = await thresher([page, "-o", output, "--lang", "sv"]);
      expect([filtered.code, filtered.stderr]).toEqual([1, expect.not.stringContaining("stays")]);
      expect(readFileSync(output).length).toBeLessThan(earlier.length);
      expect(readdirSync(folder)).toEqual([name]);
      rmSync(output);
    }
  });

  it("says that its name is too long before anything is read", async () => {
    const folder = mkdtempSync(join(tmpdir(), "thresher-long-"));
    const { code, stdout, stderr } = await thresher([
      ...["fixtures/pages/qa-en/source.html", "missing.html", "-o"],
      join(folder, `${"n".repeat(300)}.txt`),
    ]);
    expect([code, stdout, stderr]).toEqual([74, "", expect.stringContaining("ENAMETOOLONG")]);
    expect(stderr).not.toContain("missing.html");
    expect(readdirSync(folder)).toEqual([]);
  });

  it("says why it could not be written, and leaves no partial file", async () => {
    const file = join(work, "a-file");
    writeFileSync(file, "");
    const { code, stderr, stdout } = await thresher([ARTICLE, "-o", join(file, "out.txt")]);
    expect([code, stdout]).toEqual([74, ""]);
    expect(stderr).toContain("cannot write");
    const closed = join(work, "closed");
    mkdirSync(closed);
    chmodSync(closed, 0o555);
    if (process.getuid?.() !== 0)
      expect((await thresher([ARTICLE, "-o", join(closed, "out.txt")])).code).toBe(74);
    expect(readdirSync(closed)).toEqual([]);
    if (existsSync("/dev/full")) expect((await thresher([ARTICLE, "-o", "/dev/full"])).code).toBe(74);
  });
});

describe("--url", () => {
  const page =
    "<base href=x/><p>Read <a href=y>the whole story</a>, <a href=#n>its notes</a> and <a href='http://['>this</a>.";
  const args = ["--labeller", "none", "--to", "markdown", "--links"];
  const url = "https://example.org/a/b";

  it("makes the links of a page from stdin or a file absolute, and sets the record's url", async () => {
    const file = join(work, "addressed.html");
    writeFileSync(file, page);
    const expected =
      "Read [the whole story](https://example.org/a/x/y), [its notes](https://example.org/a/x/#n) and [this](http://[).\n";
    const extractors = ["page", "body", "readability"];
    const [stdin, record, named, bare, ...files] = await thresherMany([
      { args: ["-", ...args, "--url", url], stdin: page },
      { args: ["-", ...args], stdin: JSON.stringify({ html: page, url }) },
      { args: [file, "--labeller", "none", "--to", "jsonl", "--url", url] },
      { args: [file, ...args] },
      ...extractors.map((name) => ({ args: [file, ...args, "--extractor", name, "--url", url] })),
    ]);
    expect(files.map(({ stdout }) => stdout)).toEqual(extractors.map(() => expected));
    expect(stdin?.stdout).toBe(expected);
    expect(record?.stdout).toBe(expected);
    expect(parseLines(named?.stdout ?? "")[0]).toMatchObject({ id: file, url });
    expect(bare?.stdout).toContain("[the whole story](y)");
  });

  it("is rejected if it cannot be the address of a page", async () => {
    const out = join(work, "url-refused.txt");
    const wrong = [
      [[ARTICLE, "--url", "example.org/post"], "must be an address"],
      [[ARTICLE, "--url", "ftp://example.org/"], "must be an address"],
      [[ARTICLE, "fixtures/pages/qa-en/source.html", "--url", url], "one page"],
      [["https://example.org/b", "--url", url], "one page"],
      [["fixtures/pages", "--url", url], "one page"],
      [["fixtures/pages", "--url", url], "leave it out"],
      [["fixtures/pages/*/source.html", "--url", url], "one page"],
      [["-", "--from", "jsonl", "--url", url], "one page"],
      [["-", "--url", url], "one page"],
    ] as const;
    const stdin = '{"html":"<p>a"}\n{"html":"<p>b"}\n';
    const results = await thresherMany(wrong.map(([words]) => ({ args: [...words, "-o", out], stdin })));
    for (const [at, [words, says]] of wrong.entries()) {
      expect(results[at]?.code, words.join(" ")).toBe(2);
      expect(results[at]?.stderr, words.join(" ")).toContain(says);
    }
    expect(existsSync(out)).toBe(false);
  });
});

describe("bad input", () => {
  it("suggests the nearest command", async () => {
    const wrong = [
      [
        ["craw", "https://example.org/"],
        'no command "craw", and no file or directory of this name; did you mean "crawl"?',
      ],
      [["Model"], 'did you mean "models"?'],
      [["claen", ARTICLE], 'did you mean "clean"?'],
      [["version"], 'did you mean "--version"?'],
      [["--to", "json", "bnech"], 'did you mean "bench"?'],
      [
        ["knit"],
        'no command "knit", and no file or directory of this name; the commands are clean, crawl, shard, serve',
      ],
    ] as const;
    const results = await thresherMany(wrong.map(([args]) => ({ args })));
    for (const [at, [args, says]] of wrong.entries()) {
      expect(results[at], args.join(" ")).toMatchObject({ code: 2, stdout: "" });
      expect(results[at]?.stderr, args.join(" ")).toContain(says);
    }
  });

  it("escapes control characters of ids, paths, addresses and options, with one line for each reject", async () => {
    const evil = "\u001b]0;x\u0007\u009b2J\rz\nthresher: 9 documents\n";
    const record = JSON.stringify({ id: evil, text: " " });
    const runs = [
      await thresher(["-", "--progress"], { stdin: [`${record}\n`.repeat(7)] }),
      ...(await thresherMany([
        { args: [`./${evil}.html`] },
        { args: [`https://[${evil}/`] },
        { args: [ARTICLE, `--${evil}`] },
        { args: [ARTICLE, "--focus", evil] },
        { args: [ARTICLE, "-o", `${evil}.docx`] },
        { args: ["bench", evil] },
        { args: ["crawl", evil, "-o", join(work, "evil")] },
      ])),
    ];
    for (const { code, stderr } of runs) {
      expect(code).not.toBe(0);
      expect(stderr).toContain(String.raw`\x1b]0;x\x07\x9b2J\rz`);
      expect(stderr.replaceAll("\r\u001b[K", "")).not.toMatch(/[^\P{Cc}\n]/u);
    }
    for (const { stderr } of runs.slice(0, 3)) expect(stderr).not.toContain("\nthresher: 9 documents");
  });

  it("says that a command comes first", async () => {
    for (const word of ["clean", "report"])
      expect(await thresher([ARTICLE, word])).toMatchObject({
        code: 2,
        stderr: `thresher: the command ${word} comes first, before all inputs and options\n`,
      });
    const named = await thresher(["clean", ARTICLE, "report", "--to", "text"]);
    expect([named.code, named.stderr]).toEqual([0, expect.stringContaining("report: not-found")]);
  });

  it("says how to unpack a file that Brotli has compressed", async () => {
    const packed = join(work, "page.html.br");
    writeFileSync(packed, brotliCompressSync(html));
    const { code, stderr } = await thresher([packed]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("brotli -dc FILE | thresher -")]);
  });

  it("treats an argument that looks like a path, or follows clean, as a missing file", async () => {
    const runs = [["./craw"], ["craw.html"], ["clean", "craw"], [ARTICLE, "craw"], ["craw*"]];
    const results = await thresherMany(runs.map((args) => ({ args })));
    for (const [at, args] of runs.entries()) {
      expect(results[at]?.code, args.join(" ")).toBe(args[0] === ARTICLE ? 0 : 1);
      expect(results[at]?.stderr).toContain("not-found");
    }
    const named = join(work, "craw");
    writeFileSync(named, html);
    expect((await thresher([named])).code).toBe(0);
  });

  it("suggests the nearest option", async () => {
    const { code, stderr, stdout } = await thresher([ARTICLE, "--extracter", "body"]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/unknown option '--extracter'[^]*--extractor/);
  });

  it("suggests the nearest option also if its value follows after an equals sign", async () => {
    const { code, stderr } = await thresher(["page.html", "--focous=precision"]);
    expect(code).toBe(2);
    expect(stderr).toContain("unknown option '--focous'\n(Did you mean --focus?)");
    expect((await thresher(["page.html", "--links=yes"])).stderr).toContain(
      "option '--links' takes no value",
    );
  });
  it("suggests the nearest option also if a required one is missing", async () => {
    const { code, stderr } = await thresher(["report", "--outptu", "x.html", "in.jsonl"]);
    expect(code).toBe(2);
    expect(stderr).toContain("unknown option '--outptu'\n(Did you mean --output?)");
    expect((await thresher(["report", "in.jsonl"])).stderr).toContain(
      "required option '-o, --output <file>'",
    );
  });
  it.each([
    [["-o", "--quiet"], "-o, --output <path>"],
    [["--rejects", "-o", "out.jsonl"], "--rejects <file>"],
    [["--rejects", "--to", "jsonl"], "--rejects <file>"],
    [["--remove", "--links"], "--remove <selector>"],
  ])("refuses an option where a value is missing: %s", async (args, name) => {
    const { code, stdout, stderr } = await thresher([resolve(ARTICLE), ...args], { cwd: work });
    expect([code, stdout, stderr]).toEqual([
      2,
      "",
      `error: option '${name}' argument missing\n(thresher --help lists the options)\n`,
    ]);
    expect(readdirSync(work).filter((file) => /^-[-o]/.test(file))).toEqual([]);
  });
  it("says how to name a file that looks like an option", async () => {
    writeFileSync(join(work, "-dash.html"), html);
    const { code, stderr } = await thresher(["-dash.html"], { cwd: work });
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(
        "error: unknown option '-dash.html'; write ./-dash.html for the file of this name\n",
      ),
    ]);
  });
  it("suggests the option for another tool's option of the same meaning", async () => {
    const others = [
      [["--output-format", "xml"], "use --to FORMAT"],
      [["--markdown"], "use --to markdown"],
      [["--recall"], "use --focus recall"],
      [["-u", "https://example.org/"], "the address alone"],
    ] as const;
    const results = await thresherMany(others.map(([args]) => ({ args: [ARTICLE, ...args] })));
    for (const [at, [, hint]] of others.entries()) {
      expect(results[at]).toMatchObject({ code: 2, stdout: "" });
      expect(results[at]?.stderr).toContain(hint);
    }
  });

  it("rejects wrong values with a hint", async () => {
    const wrong: readonly (readonly [readonly string[], string])[] = [
      [["--threshold", "2"], "from 0 to 1"],
      ...["0x1", "0b1", "1e0", "1e-1", "+1", "", " ", " 1", "Infinity", "."].map(
        (value) => [["--threshold", value], "from 0 to 1"] as const,
      ),
      ...["0x1", "1e1", "Infinity", " ", "1 "].map(
        (value) => [["--filter", `min-words=${value}`], "of at least 0"] as const,
      ),
      [["--max-bytes", "9".repeat(400)], "10M"],
      [["--timeout", "soon"], "10s"],
      [["--max-bytes", "many"], "10M"],
      [["-j", "0"], "whole number"],
      [["--to", "pdf"], "text, markdown, jsonl"],
      [["--model", "nowhere"], "nowhere"],
      [["--model", "models/text-7", "--labeller", "rules"], 'its kind is "text"'],
      [["--comments", "some"], "auto, keep, drop, only"],
    ];
    const results = await thresherMany(wrong.map(([args]) => ({ args: [ARTICLE, ...args] })));
    for (const [at, [args, hint]] of wrong.entries()) {
      expect(results[at]?.code, args.join(" ")).toBe(2);
      expect(results[at]?.stderr, args.join(" ")).toContain(hint);
    }
  });

  it("looks for a column among the record's own fields", async () => {
    for (const column of ["constructor", "__proto__", "toString"]) {
      const [none, own] = await thresherMany([
        { args: ["-", "--column", column], stdin: '{"html":"<p>a"}\n' },
        {
          args: ["-", "--column", column, "--labeller", "none"],
          stdin: `{"${column}":"Ett två tre.","text":"x"}\n`,
        },
      ]);
      expect([none?.code, none?.stderr]).toEqual([1, expect.stringContaining(`bad-record: `)]);
      expect(none?.stderr).toContain(`no ${column}`);
      expect(parseLines(own?.stdout ?? "")[0]).toMatchObject({ text: "Ett två tre." });
    }
  });

  it.skipIf(process.platform !== "linux")("exits with 74 if stdout is closed", async () => {
    const shell = (script: string): Promise<{ code: number | null; stderr: string }> =>
      new Promise((resolve) => {
        const child = spawn("sh", ["-c", script, "sh", process.execPath, BIN, ARTICLE]);
        let stderr = "";
        child.stderr.on("data", (text) => (stderr += String(text)));
        child.on("close", (code) => {
          resolve({ code, stderr });
        });
      });
    for (const script of ['"$@" >&-; exit $?', 'exec >&-; "$@"; exit $?', '"$@" --to parquet >&-; exit $?']) {
      const { code, stderr } = await shell(script);
      expect(code, script).toBe(74);
      expect(stderr).toContain("cannot write stdout: it is closed");
    }
    for (const words of ["models", "--help", "completion bash"])
      expect((await shell(`"$1" "$2" ${words} >&-; exit $?`)).code, words).toBe(74);
    const gone = await shell('{ "$1" "$2" models; echo "code $?" >&2; } | true');
    expect(gone.stderr).toBe("code 0\n");
    const out = join(work, "closed.txt");
    for (const fine of [
      `"$@" -o '${out}' >&-; exit $?`,
      '"$@" > /dev/null; exit $?',
      '"$@" >&- | cat; exit 0',
    ])
      expect((await shell(fine)).code, fine).toBe(0);
    expect(existsSync(out)).toBe(true);
    const child = spawn(process.execPath, [BIN, ARTICLE], { stdio: "ignore" });
    expect(await new Promise((resolve) => child.on("close", resolve))).toBe(0);
  });

  it("rejects input that is not a page, and continues", async () => {
    const rejects = join(work, "bad.jsonl");
    const empty = join(work, "empty.html");
    writeFileSync(empty, "");
    const records = join(work, "records.jsonl");
    writeFileSync(
      records,
      `{"id":"good","html":${JSON.stringify(html.toString())}}\n{"html":\n{"id":"none"}\n`,
    );
    const { code, stdout, stderr } = await thresher([
      empty,
      join(work, "missing.html"),
      records,
      "--rejects",
      rejects,
    ]);
    expect(code).toBe(0);
    expect(parseLines(stdout).map(({ id }) => id)).toEqual(["good"]);
    const rows = parseLines(readFileSync(rejects, "utf8"));
    expect(rows.map(({ reason }) => reason)).toEqual(["empty", "not-found", "not-json", "bad-record"]);
    expect(rows[2]).toMatchObject({ id: `${records}:2`, stage: "acquire" });
    expect(stderr).toContain("missing.html: not-found");
  });

  it("names the real type of a feed, a PDF or an archive that is passed as a page", async () => {
    const rejects = join(work, "foreign.jsonl");
    const files = ["feed", "json", "pdf", "image", "zip"].map((name) => `fixtures/poison/${name}-named.html`);
    expect((await thresher([...files, "--rejects", rejects])).code).toBe(1);
    const rows = parseLines(readFileSync(rejects, "utf8"));
    expect(rows.map(({ reason, detail }) => `${String(reason)}: ${String(detail)}`)).toEqual([
      "not-a-page: an RSS feed",
      "not-a-page: JSON",
      "binary: PDF",
      "binary: PNG image",
      "binary: zip archive; unpack it first: unzip FILE -d DIR && thresher DIR",
    ]);
  });

  it("exits with 1 if nothing became text, with 75 if the network is the cause", async () => {
    expect((await thresher(["-"], { stdin: [""] })).code).toBe(1);
    expect((await thresher([`${origin}/gone`])).code).toBe(1);
    expect((await thresher([`${origin}/busy`])).code).toBe(75);
    expect((await thresher(["http://127.0.0.1:1/"])).code).toBe(75);
    const slow = await thresher([`${origin}/never`, "--timeout", "300ms"]);
    expect(slow.code).toBe(75);
    expect(slow.stderr).toContain("timeout");
  });

  it("survives pages designed to be slow", async () => {
    const pages = [`${"<div>".repeat(1000)}deep`, "<".repeat(1_000_000), `a\u0000b <p>NUL\u0000s</p>`];
    const stdin = [pages.map((page, index) => JSON.stringify({ id: String(index), html: page })).join("\n")];
    const { code, stdout, stderr } = await thresher(["-", "--labeller", "none"], { stdin });
    expect(stderr).toBe("");
    expect(code).toBe(0);
    const texts = parseLines(stdout).map(({ text }) => String(text));
    expect(texts[0]).toBe("deep");
    expect(texts[1]?.length).toBeGreaterThan(900_000);
    expect(texts[2]).toBe("ab\n\nNULs");
  });
});

describe("the process", () => {
  it("stops at Ctrl-C with 130 and leaves no file", async () => {
    const out = join(work, "interrupted.jsonl");
    const { code, stderr } = await thresherAlone([`${origin}/never`, ARTICLE, "-o", out], {
      onStart: (child) => {
        const poll = setInterval(() => {
          if (!existsSync(join(work, ".interrupted.jsonl.partial"))) return;
          clearInterval(poll);
          child.kill("SIGINT");
        }, 10);
      },
    });
    expect(code).toBe(130);
    expect(stderr).toContain("interrupted");
    expect(readdirSync(work).filter((name) => name.includes("interrupted"))).toEqual([]);
  });

  it.skipIf(process.platform === "win32")("stops at Ctrl-C while a named pipe has no writer", async () => {
    const [pipe, out] = [join(work, "pipe.html"), join(work, "piped.jsonl")];
    execFileSync("mkfifo", [pipe]);
    const { code } = await thresherAlone([pipe, "-o", out], {
      onStart: (child) => {
        const poll = setInterval(() => {
          if (!existsSync(join(work, ".piped.jsonl.partial"))) return;
          clearInterval(poll);
          setTimeout(() => child.kill("SIGINT"), 200);
          setTimeout(() => child.kill("SIGKILL"), 8000).unref();
        }, 10);
      },
    });
    expect(code).toBe(130);
  });

  it.skipIf(process.platform === "win32")("writes all to a named pipe whose reader comes late", async () => {
    const pipe = join(mkdtempSync(join(work, "late-")), "pipe");
    execFileSync("mkfifo", [pipe]);
    const reader = new Promise<string>((resolve) => {
      setTimeout(() => {
        execFile("cat", [pipe], { timeout: 20_000 }, (_, stdout) => {
          resolve(stdout);
        });
      }, 1500);
    });
    const { code } = await thresherAlone([ARTICLE, "--to", "text", "-o", pipe], { stdin: [] });
    expect(code).toBe(0);
    expect(await reader).toContain("Bolo de fubá");
  });

  it.skipIf(process.platform === "win32")("writes the whole log to a named pipe", async () => {
    const pipe = join(mkdtempSync(join(work, "log-")), "pipe");
    execFileSync("mkfifo", [pipe]);
    const reader = promisify(execFile)("cat", [pipe], { timeout: 20_000 });
    const { code } = await thresherAlone([ARTICLE, ARTICLE, "--log", pipe], { stdin: [] });
    const events = parseLines((await reader).stdout).map(({ event }) => event);
    expect({ code, events }).toEqual({ code: 0, events: ["document", "document", "end"] });
  });

  it.skipIf(process.platform === "win32")("never waits for a named pipe that it cannot use", async () => {
    const pipe = join(work, "endless.jsonl");
    execFileSync("mkfifo", [pipe]);
    const runs = [
      {
        args: ["inspect", pipe],
        says: "inspect reads its inputs more than once, so it cannot read the pipe",
      },
      { args: ["bench", "--corpus", pipe], says: `${pipe} is a pipe or a device` },
      { args: ["shard", "plan", pipe, "-o", join(work, "job")], says: "it is a pipe or a device" },
      { args: ["shard", "plan", "--index", pipe, "-o", join(work, "job")], says: "it is not a regular file" },
    ];
    for (const { args, says } of runs) {
      const { code, stderr } = await thresher(args);
      expect([code, stderr]).toEqual([2, expect.stringContaining(says)]);
    }
  });

  it.skipIf(process.platform !== "linux").each([
    ["serve", "--port", "0", "--token-file"],
    ["features", "none.jsonl", "-o", "none", "--pieces"],
    ["clean", ARTICLE, "-o"],
    ["clean", ARTICLE, "--rejects"],
    ["clean", ARTICLE, "--log"],
    ["clean", ARTICLE, "--stats"],
  ])("ends at Ctrl-C while %s waits for a named pipe", async (...args) => {
    const pipe = join(mkdtempSync(join(work, "waiting-")), "pipe");
    execFileSync("mkfifo", [pipe]);
    const child = spawn(process.execPath, [BIN, ...args, pipe], { stdio: "ignore" });
    const ended = new Promise((resolve) => child.on("exit", resolve));
    // It waits when it has computed, and then does not any more. Before, Node.js itself handles the signal.
    const ticks = (): number => {
      const [, rest = ""] = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ");
      const [user, system] = rest.split(" ").slice(11, 13);
      return Number(user) + Number(system);
    };
    let before: number;
    do {
      before = ticks();
      await new Promise((resolve) => setTimeout(resolve, 2000));
    } while (ticks() - before > 5);
    child.kill("SIGINT");
    setTimeout(() => child.kill("SIGKILL"), 8000).unref();
    expect(await ended).toBe(130);
  });

  it.skipIf(process.platform !== "linux")("ends at a second Ctrl-C while a pipe is full", async () => {
    const folder = mkdtempSync(join(work, "stalled-"));
    const [pipe, text] = [join(folder, "pipe"), join(folder, "long.txt")];
    execFileSync("mkfifo", [pipe]);
    writeFileSync(text, "This line has no end in sight, and its reader has none either.\n".repeat(4000));
    const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    const writer = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
    const child = spawn(process.execPath, [BIN, text, "--labeller", "none", "-o", pipe], { stdio: "ignore" });
    const ended = new Promise((resolve) => {
      child.on("exit", (code, signal) => {
        resolve(code ?? signal);
      });
    });
    setTimeout(() => child.kill("SIGKILL"), 20_000).unref();
    // One byte fits only while the pipe is not full.
    const isFull = (): boolean => {
      try {
        return writeSync(writer, "-") === 0;
      } catch {
        return true;
      }
    };
    while (!isFull()) await new Promise((resolve) => setTimeout(resolve, 50));
    child.kill("SIGINT");
    await new Promise((resolve) => setTimeout(resolve, 500));
    child.kill("SIGINT");
    expect(await ended).toBe(130);
    closeSync(reader);
    closeSync(writer);
  });

  it("decodes East Asian encodings, whose tables it loads from their library", async () => {
    // "日本" in Shift_JIS
    const page = ["<meta charset=shift_jis><p>", Uint8Array.of(0x93, 0xfa, 0x96, 0x7b)];
    const { code, stdout } = await thresherAlone(["--labeller", "none"], { stdin: page });
    expect({ code, stdout }).toEqual({ code: 0, stdout: "日本\n" });
  });

  it("continues if stderr is closed", async () => {
    const { code, stdout } = await thresherAlone(["nowhere.html", ARTICLE, "--to", "text"], {
      stdin: [],
      onStart: (child) => child.stderr?.destroy(),
    });
    expect(code).toBe(0);
    expect(stdout).toContain("Bolo de fubá");
  });

  it("exits quietly if the reader of the pipe has gone", async () => {
    const { code, stderr } = await new Promise<{ code: number | null; stderr: string }>((resolve) => {
      const child = spawn(process.execPath, [BIN, PAGES, "--keep-boilerplate"]);
      let text = "";
      child.stderr.on("data", (chunk: Buffer) => (text += chunk.toString()));
      child.stdout.once("data", () => child.stdout.destroy());
      child.on("close", (status) => {
        resolve({ code: status, stderr: text });
      });
    });
    expect(stderr).toBe("");
    expect(code).toBe(0);
  });

  it("prints its help", async () => {
    const { code, stdout } = await thresher(["--help"]);
    expect(code).toBe(0);
    for (const word of [
      "Examples:",
      "--keep-boilerplate",
      "--comments",
      "not-a-page",
      "Exit codes",
      "models",
    ])
      expect(stdout).toContain(word);
    expect((await thresher(["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    const models = (await thresher(["models"])).stdout;
    expect(models).toMatch(/^text-7\ttext\t\d\.\d MB\t/m);
    expect(models).toMatch(/^texrex-1\ttexrex\t\d+ kB\t/m);
  });
});

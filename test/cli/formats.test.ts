import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import { parquetReadObjects } from "hyparquet";
import { describe, expect, it } from "vitest";
import { checkTei } from "../write/tei-check.js";
import { parseLines, thresher } from "./run.js";

const work = mkdtempSync(join(tmpdir(), "thresher-formats-"));
const at = (name: string): string => join(work, name);
const PLAIN = ["--labeller", "none", "-j", "1"];
const RECORDS = [
  { id: "a", url: "https://example.org/a", text: "Ett två tre.\nFyra.", lang: "sv", score: 7 },
  { id: "b", text: "Fem & sex.", deep: { list: [1, { two: "2" }] } },
  { id: "c", text: " " },
];
const KINDS = fileURLToPath(new URL("../../fixtures/kinds/*/source.html", import.meta.url));
const BASED = `<base href="https://docs.example.org/v2/"><article><h1>The lock</h1><p>The keeper opens the lower gates
when the water in the chamber has fallen, and the boats wait <a href="lift">below the lift</a> until he waves.</p></article>`;
const DRAWN = `<article><h1>The lock</h1><figure><img src="lock.jpg" alt="The lock"></figure><p>The keeper opens the lower gates
when the water in the chamber has fallen, and the boats wait below until he waves.</p><p>They came from the sea, over
two days and through eleven locks, and each of their captains has paid the toll.</p><ol><li>The lower gates are opened for the
boats that come from the sea.<li><img src="a.jpg"><p>The water rises in the chamber, which takes ten minutes.<p><img src="b.jpg">
<li>The upper gates are opened, and the boats go on to the lake.</ol><figure><img src="gate.jpg"></figure></article>`;
writeFileSync(at("in.jsonl"), RECORDS.map((record) => `${JSON.stringify(record)}\n`).join(""));

async function clean(...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return thresher([at("in.jsonl"), ...PLAIN, "--quiet", ...args]);
}

function readParquet(path: string): Promise<Record<string, unknown>[]> {
  return parquetReadObjects({ file: new Uint8Array(readFileSync(path)).buffer });
}

describe("footnotes", () => {
  const page = (name: string): string =>
    `<p>The keeper of ${name} opens the gates<sup><a href="#fn1">1</a></sup> when the water has fallen.</p>
    <div class=footnotes><ol><li id=fn1>They are of oak, and a hundred years old.</ol></div>`;
  const labelsOf = (written: string): string[] =>
    [...written.matchAll(/ (?:xml:)?id="note-([^"]*)"|^\[\^(.*?)\]: /gm)].map(
      ([, id = "", label = ""]) => id || label,
    );

  it.each(["markdown", "html", "xml"])("have labels that are unique in the file (%s)", async (to) => {
    const [first, second, folder] = [at("noted-a.html"), at("noted-b.html"), at(`noted-${to}/`)];
    for (const name of [first, second]) writeFileSync(name, page(name));
    const run = async (...args: string[]): Promise<string> =>
      (await thresher(["--to", to, "--labeller", "none", "--extractor", "body", "--quiet", ...args])).stdout;
    expect(labelsOf(await run(first))).toEqual(["1"]);
    for (const more of [[], ["--dedup", "exact"]]) {
      const written = await run(first, second, "-j", "2", ...more);
      const labels = labelsOf(written);
      expect(new Set(labels).size).toBe(2);
      for (const label of labels) expect(written.split(label)).toHaveLength(3);
    }
    const records = at(`noted-${to}.jsonl`);
    // Records of 4 KB and more are parsed where their pages are cleaned.
    for (const bytes of [1, 4096]) {
      const pages = [first, second].map((name) =>
        JSON.stringify({ id: "a", html: page(name).padEnd(bytes) }),
      );
      writeFileSync(records, pages.join("\n"));
      expect(new Set(labelsOf(await run(records))).size).toBe(2);
    }
    await run(first, second, "-o", folder);
    for (const name of readdirSync(folder))
      expect(labelsOf(readFileSync(join(folder, name), "utf8"))).toEqual(["1"]);
    const formatted = await run(first, second, "--to", "jsonl", "--formatted", to);
    expect(parseLines(formatted).map(({ formatted }) => labelsOf(String(formatted)))).toEqual([["1"], ["1"]]);
  });
});

describe("the name of the file", () => {
  it("determines the format, even with .gz", async () => {
    for (const name of [
      "out.jsonl",
      "out.jsonl.gz",
      "out.xml",
      "out.wet",
      "out.wet.gz",
      "out.md.gz",
      "out.parquet",
    ])
      expect((await clean("-o", at(name))).code, name).toBe(0);
    const jsonl = readFileSync(at("out.jsonl"), "utf8");
    expect(parseLines(jsonl)).toHaveLength(2);
    expect(gunzipSync(readFileSync(at("out.jsonl.gz"))).toString()).toBe(jsonl);
    expect(checkTei(readFileSync(at("out.xml"), "utf8"))).toEqual([]);
    const wet = readFileSync(at("out.wet"));
    expect(wet.toString()).toContain("WARC-Type: conversion\r\nWARC-Target-URI: https://example.org/a\r\n");
    expect(gunzipSync(readFileSync(at("out.wet.gz"))).equals(wet)).toBe(true);
    expect(gunzipSync(readFileSync(at("out.md.gz"))).toString()).toContain("Fem & sex.");
    expect((await readParquet(at("out.parquet"))).map(({ id }) => id)).toEqual(["a", "b"]);
  });

  it("selects a format by any of its suffixes", async () => {
    const written = async (name: string): Promise<string> => {
      expect((await clean("-o", at(name))).code, name).toBe(0);
      return readFileSync(at(name), "utf8");
    };
    expect(JSON.parse(await written("suffix.json"))).toHaveLength(2);
    expect(parseLines(await written("suffix.NDJSON"))).toHaveLength(2);
    expect(await written("suffix.markdown")).toBe(await written("suffix.md"));
    expect(await written("suffix.txt")).toBe("Ett två tre.\nFyra.\n\nFem & sex.\n");
    // If the name has no suffix, or a number after its dot, the input determines the format.
    expect(parseLines(await written("corpus-1.2"))).toHaveLength(2);
    expect((await clean("-o", at("corpus.gz"))).code).toBe(0);
    expect(parseLines(gunzipSync(readFileSync(at("corpus.gz"))).toString())).toHaveLength(2);
  });

  it.each(["out.ods", "out.epub", "out.docx", "out.jsonl.zst", "out.ods.gz"])(
    "is rejected if no format has its suffix: %s",
    async (name) => {
      const { code, stderr } = await clean("-o", at(name));
      expect(code).toBe(2);
      expect(stderr).toContain(`no format has the suffix of ${at(name)}`);
      expect(stderr).toContain("jsonl (.jsonl, .ndjson)");
      expect(stderr).toContain("markdown (.md, .markdown)");
      expect(existsSync(at(name))).toBe(false);
      expect((await clean("-o", at(name), "--to", "text")).code).toBe(0);
    },
  );

  it.each(["zst", "bz2", "xz"])("is rejected with a hint on how to compress: %s", async (suffix) => {
    const { code, stderr } = await clean("-o", at(`out.jsonl.${suffix}`));
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /the only compression is gzip \(\.gz\); for another one, pipe the output: -o - --to jsonl \| (zstd|bzip2|xz) > FILE$/m,
    );
  });

  it("may be passed to --to as md and json", async () => {
    expect((await clean("--to", "md")).stdout).toBe((await clean("--to", "markdown")).stdout);
    expect(JSON.parse((await clean("--to", "json")).stdout)).toHaveLength(2);
    const { code, stderr } = await clean("--to", "docx");
    expect(code).toBe(2);
    expect(stderr).toContain("text, markdown, jsonl, json, html, tei, xml, csv, wet, parquet");
  });

  it("is overridden by --to, and Parquet is not compressed twice", async () => {
    expect((await clean("-o", at("odd.parquet"), "--to", "text")).code).toBe(0);
    expect(readFileSync(at("odd.parquet"), "utf8")).toBe("Ett två tre.\nFyra.\n\nFem & sex.\n");
    const { code, stderr } = await clean("-o", at("twice.parquet.gz"));
    expect(code).toBe(2);
    expect(stderr).toContain("leave out the .gz");
    expect(existsSync(at("twice.parquet.gz"))).toBe(false);
  });

  it("is ignored if a directory gets one file per document", async () => {
    expect((await clean("-o", `${at("dir")}/`, "--to", "tei")).code).toBe(0);
    expect(readdirSync(at("dir"))).toEqual(["a.xml", "b.xml"]);
    for (const name of ["a.xml", "b.xml"]) {
      const xml = readFileSync(join(at("dir"), name), "utf8");
      expect(xml).toMatch(/^<\?xml[^>]*>\n<TEI xmlns/);
      expect(checkTei(xml)).toEqual([]);
    }
  });

  it("is readable even if the only page gave no document", async () => {
    mkdirSync(at("empty"), { recursive: true });
    for (const input of [at("empty"), at("missing.html")]) {
      for (const name of ["nothing.json", "nothing.xml"])
        expect((await thresher([input, ...PLAIN, "--quiet", "-o", at(name)])).code).toBe(1);
      expect(JSON.parse(readFileSync(at("nothing.json"), "utf8"))).toEqual([]);
      expect(checkTei(readFileSync(at("nothing.xml"), "utf8"))).toEqual([]);
      expect(readFileSync(at("nothing.xml"), "utf8")).toContain("</teiCorpus>");
    }
    expect((await thresher([at("missing.html"), ...PLAIN, "--quiet", "--to", "json"])).stdout).toBe("");
  });

  it("has its header and footer even without documents", async () => {
    writeFileSync(at("blank.jsonl"), '{"text":" "}\n');
    for (const name of ["none.xml", "none.parquet", "none.wet"])
      expect((await thresher([at("blank.jsonl"), ...PLAIN, "--quiet", "-o", at(name)])).code).toBe(1);
    expect(readFileSync(at("none.xml"), "utf8")).toMatch(/<\/teiCorpus>\n$/);
    expect(await readParquet(at("none.parquet"))).toEqual([]);
    expect(readFileSync(at("none.wet"), "utf8")).toMatch(/^WARC\/1\.0\r\nWARC-Type: warcinfo\r\n/);
  });
});

describe("the default path of a page", () => {
  it("keeps list numbers, streamed content, line breaks of styles and the displayed date", async () => {
    const page = `<title>The loom weaves</title><h1>The loom weaves</h1><p>17 May 2019</p>
      <ol start=3><li>three<li value=9>nine</ol><ol reversed><li>b<li>a</ol>
      <p style="white-space:pre-line">x\ny</p><p><math><mfrac><mi>a</mi><mi>b</mi></mfrac></math></p>
      <noscript id=afph0></noscript><div id=af0 style="display:none">late</div><script>$af(0)</script>`;
    writeFileSync(at("loom.html"), page);
    const args = [at("loom.html"), ...PLAIN];
    expect((await thresher([...args, "--to", "markdown"])).stdout).toBe(
      "# The loom weaves\n\n17 May 2019\n\n3. three\n9. nine\n\n2) b\n1) a\n\nx  \ny\n\n$\\frac{a}{b}$\n\nlate\n",
    );
    expect(parseLines((await thresher([...args, "--to", "jsonl"])).stdout)[0]).toMatchObject({
      meta: { date: "2019-05-17" },
    });
  });
});

describe("further fields of a record", () => {
  it("are passed through JSON Lines and Parquet unchanged", async () => {
    const { stdout } = await clean("--to", "jsonl");
    const records = parseLines(stdout);
    expect(records.map(({ carried }) => carried)).toEqual([
      { lang: "sv", score: 7 },
      { deep: { list: [1, { two: "2" }] } },
    ]);
    expect((await clean("-o", at("carried.parquet"))).code).toBe(0);
    const again = await thresher([at("carried.parquet"), ...PLAIN, "--to", "jsonl"]);
    const second = parseLines(again.stdout);
    expect(second.map(({ text }) => text)).toEqual(records.map(({ text }) => text));
    expect(second.map(({ carried }) => carried)).toEqual(records.map(({ carried }) => carried));
    const third = await thresher(["-", ...PLAIN, "--from", "jsonl"], { stdin: [again.stdout] });
    expect(third.stdout).toBe(again.stdout);
  });

  it("keep every digit of their numbers, in every process and format", async () => {
    const numbers = '{"big":1234567890123456789,"huge":1e400,"price":1.50}';
    const lines = [788, 789].map(
      (id) => `{"id":1234567890123456${id},"text":"Some text.",${numbers.slice(1)}`,
    );
    writeFileSync(at("numbers.jsonl"), lines.join("\n"));
    const args = [at("numbers.jsonl"), ...PLAIN];
    for (const j of ["1", "2"]) {
      const { stdout } = await thresher([...args, "-j", j, "--to", "jsonl"]);
      for (const id of [788, 789]) expect(stdout).toContain(`{"id":"1234567890123456${id}",`);
      expect(stdout.match(/"carried":\{.*?\}/g)).toEqual([`"carried":${numbers}`, `"carried":${numbers}`]);
    }
    expect((await thresher([...args, "-o", at("numbers.parquet")])).code).toBe(0);
    const rows = await readParquet(at("numbers.parquet"));
    expect(rows.map(({ carried }) => carried)).toEqual([numbers, numbers]);
  });

  it("are read as title, language and metadata if the record is one of ours", async () => {
    const page = `<html lang="sv"><title>Bron</title><meta name="author" content="Ada Lund">
      <meta property="article:published_time" content="2019-05-17"><p>Bron är öppen igen för alla som cyklar.</p>`;
    writeFileSync(at("bron.html"), page);
    expect((await thresher([at("bron.html"), "--labeller", "none", "-o", at("bron.jsonl")])).code).toBe(0);
    const [first] = parseLines(readFileSync(at("bron.jsonl"), "utf8"));
    for (const [to, read] of [
      ["again.jsonl", () => parseLines(readFileSync(at("again.jsonl"), "utf8"))],
      ["again.parquet", () => readParquet(at("again.parquet"))],
    ] as const) {
      expect((await thresher([at("bron.jsonl"), ...PLAIN, "-o", at(to)])).code).toBe(0);
      const [again] = await read();
      expect(again).toMatchObject({
        title: "Bron",
        lang: "sv",
        meta: { author: "Ada Lund", date: "2019-05-17" },
      });
      expect(again?.["carried"] ?? undefined).toBeUndefined();
    }
    expect((await thresher([at("bron.jsonl"), ...PLAIN, "--to", "tei"])).stdout).toContain(
      "<title>Bron</title>",
    );
    const foreign = { ...first, fingerprint: undefined };
    const { stdout } = await thresher(["-", ...PLAIN, "--from", "jsonl"], {
      stdin: [JSON.stringify(foreign)],
    });
    expect(parseLines(stdout)[0]).toMatchObject({ meta: {}, carried: { title: "Bron", lang: "sv" } });
    const poison = { ...first, title: { a: 1 }, meta: [1], lang: 7 };
    const poisoned = await thresher(["-", ...PLAIN, "--from", "jsonl"], { stdin: [JSON.stringify(poison)] });
    expect(parseLines(poisoned.stdout)[0]).toMatchObject({ meta: {}, carried: { title: { a: 1 }, lang: 7 } });
  });

  it("give title, author, date and site of a text of another tool, and are passed through", async () => {
    const theirs = { title: "Bron", author: "Ada Lund", date: "2019-05-17", "source-hostname": "Nytt" };
    const record = { ...theirs, source: "https://example.org/bron", text: "Bron är öppen igen." };
    const crawled = { text: "Bron är öppen igen.", date: "2019-05-17T00:00:00Z", dump: "CC-MAIN-2019-22" };
    const { stdout } = await thresher(["-", ...PLAIN, "--from", "jsonl"], {
      stdin: [record, crawled].map((one) => `${JSON.stringify(one)}\n`),
    });
    const [told, untold] = parseLines(stdout);
    expect(told).toMatchObject({
      ...{ url: "https://example.org/bron", title: "Bron" },
      meta: { author: "Ada Lund", date: "2019-05-17", site: "Nytt" },
      carried: theirs,
    });
    expect(untold?.["meta"]).toEqual({});
  });

  it("do not break a run if they are nested without end", async () => {
    const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
    const { code, stdout } = await thresher(["-", ...PLAIN, "--from", "jsonl"], {
      stdin: [`{"text":"a","deep":${deep},"ok":1}\n`],
    });
    expect(code).toBe(0);
    expect(parseLines(stdout)[0]?.["carried"]).toEqual({
      deep: "(nested more than 100 deep, not carried along)",
      ok: 1,
    });
  });
});

describe("records that are cut again", () => {
  it("omit the images of their input unless images are requested", async () => {
    writeFileSync(at("drawn.html"), DRAWN);
    const args = [at("drawn.html"), "-j", "1", "--keep-boilerplate", "--spans", "-o", at("drawn.jsonl")];
    expect((await thresher(args)).code).toBe(0);
    for (const format of ["html", "markdown"]) {
      const more = ["-j", "1", "--to", format, "--links"];
      const { stdout } = await thresher([at("drawn.html"), ...more]);
      expect(stdout).toContain("lower gates");
      expect((await thresher([at("drawn.jsonl"), ...more])).stdout).toBe(stdout);
    }
  });
});

describe("reading Parquet", () => {
  it("gives the same from a file, stdin, gzip and a column with another name", async () => {
    expect((await clean("-o", at("source.parquet"))).code).toBe(0);
    const bytes = readFileSync(at("source.parquet"));
    const { stdout } = await thresher([at("source.parquet"), ...PLAIN, "--to", "text"]);
    expect(stdout).toBe("Ett två tre.\nFyra.\n\nFem & sex.\n");
    expect((await thresher(["-", ...PLAIN, "--to", "text"], { stdin: [bytes] })).stdout).toBe(stdout);
    expect((await thresher(["-", ...PLAIN, "--to", "text"], { stdin: [gzipSync(bytes)] })).stdout).toBe(
      stdout,
    );
    const ids = await thresher([at("source.parquet"), ...PLAIN, "--to", "text", "--column", "source"]);
    expect(ids.stdout).toBe("text\n\ntext\n");
  });

  it("cuts and labels records again like those of JSON Lines", async () => {
    writeFileSync(at("based.html"), BASED);
    for (const name of ["scored.jsonl", "scored.parquet"]) {
      const args = [KINDS, at("based.html"), "-j", "1", "--keep-boilerplate", "--spans", "-o", at(name)];
      expect((await thresher(args)).code).toBe(0);
    }
    for (const args of [
      ["--to", "markdown", "--focus", "recall", "--links", "--images"],
      ["--to", "jsonl", "--rescore", "--keep-boilerplate"],
    ]) {
      const { stdout } = await thresher([at("scored.jsonl"), "-j", "1", ...args]);
      expect(stdout).toContain(args.includes("--links") ? "(https://docs.example.org/v2/lift)" : '"clues":[');
      expect((await thresher([at("scored.parquet"), "-j", "1", ...args])).stdout).toBe(stdout);
    }
  });

  it("keeps what comes before the damage, and reports what is lost", async () => {
    expect((await clean("-o", at("cut.parquet"))).code).toBe(0);
    const bytes = readFileSync(at("cut.parquet"));
    writeFileSync(at("cut.parquet"), bytes.subarray(0, -20));
    const { code, stderr } = await thresher([
      at("cut.parquet"),
      at("in.jsonl"),
      ...PLAIN,
      "-o",
      at("rest.jsonl"),
    ]);
    expect(code).toBe(0);
    expect(stderr).toContain("broken-parquet");
    expect(parseLines(readFileSync(at("rest.jsonl"), "utf8"))).toHaveLength(2);
  });
});

const NAMES = ["full.jsonl", "full.jsonl.gz", "full.xml", "full.wet", "full.wet.gz", "full.parquet"];

describe("output that cannot be written", () => {
  it.skipIf(!existsSync("/dev/full"))("exits with 74 on a full disk, in every format", async () => {
    for (const name of NAMES) {
      symlinkSync("/dev/full", at(name));
      const { code, stderr } = await clean("-o", at(name));
      expect(code, name).toBe(74);
      expect(stderr).toMatch(/cannot write .*ENOSPC/);
    }
    expect(readdirSync(work).filter((name) => name.endsWith(".partial"))).toEqual([]);
  });

  it.skipIf(!existsSync("/proc/self"))("exits with 74 if a folder accepts no files", async () => {
    for (const name of NAMES) expect((await clean("-o", `/proc/${name}`)).code, name).toBe(74);
  });
});

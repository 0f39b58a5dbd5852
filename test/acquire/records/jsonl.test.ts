import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { openInputs } from "../../../src/acquire/inputs.js";
import { readLine, readRecords, readUnread } from "../../../src/acquire/records/jsonl.js";
import { collectGarbage } from "../../collect-garbage.js";
import { expectLinear } from "../../growth.js";
import { gather, inChunks, summarise, utf8 } from "../gather.js";
import { collectAll } from "../../collect-all.js";

const read = (text: string | Uint8Array, maxBytes = 1000, size = 1 << 20) =>
  collectAll(
    readRecords(inChunks(typeof text === "string" ? utf8(text) : text, size), {
      input: "in.jsonl",
      maxBytes,
    }),
  );

describe("readRecords", () => {
  it("says how jq takes the pages out of a HAR file", async () => {
    const log = { version: "1.2", creator: { name: "WebInspector" }, entries: [] };
    const [outcome] = await read(JSON.stringify({ log }));
    expect(outcome).toMatchObject({ reason: "bad-record" });
    expect(outcome).toHaveProperty("detail", expect.stringMatching(/HAR.*jq -c/));
  });

  it("reads html, lines or text, and id and url if they are usable", async () => {
    const outcomes = await read(
      [
        '{"html":"<p>a</p>","text":"not this","lines":["nor this"]}',
        '{"id":"mine","url":"https://example.org/","lines":["a",""," b"]}',
        '{"id":12,"url":null,"text":"c","html":null,"lines":[{"text":"an output record of ours"}],"other":{"deep":[1]}}',
        '{"id":"","text":"d"}',
      ].join("\n"),
    );
    expect(outcomes).toEqual([
      {
        ok: true,
        value: {
          id: "in.jsonl:1",
          url: "",
          content: { kind: "html", html: "<p>a</p>" },
          carried: `{"text":"not this","lines":["nor this"]}`,
        },
      },
      {
        ok: true,
        value: {
          id: "mine",
          url: "https://example.org/",
          content: { kind: "lines", lines: ["a", "", " b"] },
        },
      },
      {
        ok: true,
        value: {
          id: "12",
          url: "",
          content: { kind: "text", text: "c" },
          carried: `{"lines":[{"text":"an output record of ours"}],"other":{"deep":[1]}}`,
        },
      },
      { ok: true, value: { id: "in.jsonl:4", url: "", content: { kind: "text", text: "d" } } },
    ]);
  });

  it("uses the next field if a better one is blank, and rejects a record that has none", async () => {
    const outcomes = await read(
      [
        '{"html":" ","lines":[""],"text":"a text"}',
        '{"id":"b","url":"https://example.org/b","body":"x"}',
        '{"id":"c","html":""}',
      ].join("\n"),
    );
    expect(outcomes).toMatchObject([
      { ok: true, value: { content: { kind: "text", text: "a text" } } },
      { ok: false, id: "b", url: "https://example.org/b", reason: "bad-record" },
      { ok: false, id: "c", reason: "empty" },
    ]);
  });

  it("reads a full HTML page in a content field as HTML, but not in the field text", async () => {
    const page = "\ufeff <!-- saved -->\n<!DOCTYPE html><p>a";
    const fields = { content: page, raw_content: "<HTML lang=sv><p>a", text: page };
    const rows = Object.entries(fields).map(([name, value]) => ({ [name]: value }));
    const others = ["a <html> tag", "<p>a", "<htmlx>"].map((content) => ({ content }));
    const outcomes = await read([...rows, ...others].map((row) => JSON.stringify(row)).join("\n"));
    const contents = outcomes.map((outcome) => (outcome.ok ? outcome.value.content : outcome.reason));
    expect(contents).toEqual([
      { kind: "html", html: fields.content },
      { kind: "html", html: fields.raw_content },
      ...[fields.text, ...others.map(({ content }) => content)].map((text) => ({ kind: "text", text })),
    ]);
  });

  const headers = { "warc-record-id": "<urn:uuid:1>", "warc-target-uri": "https://example.org/" };
  it.each<[corpus: string, fields: object]>([
    ["OSCAR", { content: "a", warc_headers: headers }],
    ["OSCAR on the hub", { text: "a", meta: { warc_headers: headers } }],
    ["OSCAR in a table with JSON", { text: "a", meta: JSON.stringify({ warc_headers: headers }) }],
    ["OSCAR 21.09 on the hub", { text: "a", meta: { headers } }],
    ["GlotCC", { content: "a", ...headers }],
    ["Nemotron-CC", { text: "a", warc_record_id: "<urn:uuid:1>", url: "https://example.org/" }],
    [
      "DCLM",
      {
        text: "a",
        metadata: { "WARC-Record-ID": "<urn:uuid:1>", "WARC-Target-URI": "https://example.org/" },
      },
    ],
  ])("names a text after its WARC record: %s", async (_, fields) => {
    expect(await read(JSON.stringify(fields))).toMatchObject([
      { value: { id: "<urn:uuid:1>", url: "https://example.org/" } },
    ]);
    const named = { id: 0, url: "https://example.org/own", ...fields };
    expect(await read(JSON.stringify(named))).toMatchObject([{ value: { id: "0" } }]);
  });

  it("reads the URL and the language of datatrove's metadata", async () => {
    const metadata = { url: "https://example.org/", language: "sv", date: "2024-01-01" };
    const outcomes = await read(JSON.stringify({ text: "a", id: "<urn:uuid:1>", metadata }));
    expect(outcomes).toMatchObject([
      {
        ok: true,
        value: {
          id: "<urn:uuid:1>",
          url: "https://example.org/",
          lang: "sv",
          carried: JSON.stringify({ metadata }),
        },
      },
    ]);
  });

  it("reads the URL fields of HPLT and RedPajama if they hold URLs", async () => {
    const url = "https://example.org/";
    const rows = [
      { u: url, id: "h" },
      { meta: { url } },
      { url: "", u: url },
      { url: "https://example.org/own", u: url },
      { u: "user 7", meta: "x" },
    ];
    const outcomes = await read(rows.map((row) => JSON.stringify({ ...row, text: "a" })).join("\n"));
    expect(outcomes.map((outcome) => (outcome.ok ? outcome.value.url : outcome.reason))).toEqual([
      url,
      url,
      url,
      "https://example.org/own",
      "",
    ]);
    expect(outcomes[0]).toMatchObject({ value: { carried: JSON.stringify({ u: url }) } });
  });

  it("reads NaN and Infinity, which Python writes and JSON forbids", async () => {
    const outcomes = await read(
      [
        String.raw`{"text":"a \"NaN: NaN,","p":NaN,"q":[-Infinity,NaN,{"Infinity":Infinity}],"r":"[NaN]"}`,
        '{"text":"b","p":NaN,}',
        '{"text":"c","p":NaNs}',
        '{"text":"d","p":"NaN}',
        '{"text":NaN}',
      ].join("\n"),
    );
    expect(outcomes).toMatchObject([
      {
        ok: true,
        value: {
          content: { text: 'a "NaN: NaN,' },
          carried: '{"q":["-Infinity",null,{"Infinity":"Infinity"}],"r":"[NaN]"}',
        },
      },
      ...[2, 3, 4].map((line) => ({ ok: false, id: `in.jsonl:${line}`, reason: "not-json" })),
      { ok: false, reason: "bad-record", detail: "line 5: text is null" },
    ]);
    await expectLinear(
      100_000,
      (size) => utf8(`{"text":"${"\\n".repeat(size)}","p":NaN,}`),
      (line) => readLine({ number: 1, bytes: line }, { input: "in.jsonl", maxBytes: 1_000_000 }),
    );
  });

  it("reads texts with millions of escapes", () => {
    const text = String.raw`\n\"`.repeat(2_500_000);
    const line = (of: string): string =>
      `{"text":"${of}","label":"content","score":0.5,"grade":"e","block":"p","path":"p","linkChars":0,"breakBefore":"line"}`;
    const place = { input: "in.jsonl", maxBytes: 10_000_000 };
    for (const [record, kind] of [
      [`{"text":"${text}","p":NaN}`, "text"],
      [`{"text":"${text}\\ud800"}`, "text"],
      [`{"id":"a","url":"","text":"${text}","lines":[${line("a")}]}`, "scored"],
      [`{"id":"a","url":"","text":"a","lines":[${line(text)}]}`, "scored"],
    ] as const) {
      const page = readLine({ number: 1, bytes: utf8(record) }, place);
      expect(page?.ok === true && page.value.content.kind).toBe(kind);
    }
  });

  it("replaces unpaired surrogates by U+FFFD everywhere", async () => {
    const record = String.raw`{"id":"a\ud83d","text":"\\ud83d \ud83d\ude00 \ude00","other":["\uD83D\n"]}`;
    expect(await read(record)).toMatchObject([
      {
        ok: true,
        value: {
          id: "a\ufffd",
          content: { kind: "text", text: "\\ud83d 😀 \ufffd" },
          carried: JSON.stringify({ other: ["\ufffd\n"] }),
        },
      },
    ]);
  });

  it("keeps every digit of ids and carried fields", async () => {
    const numbers = '{"big":-1234567890123456789,"deep":[1e400,{"price":1.50,"zero":-0}],"plain":[1,2.5]}';
    const outcomes = await read(
      [
        `{"id":1234567890123456789,"text":"a"}`,
        `{"id":1234567890123456788,"text":"a \\"1.0, 2.0]"}`,
        `{"id":1.0,"text":"a","numbers": ${numbers},"__proto__":2.0,"same":1,"same":2}`,
        `{"id":"b","text":"a","n":1e2}`,
        `{"id":"c","text":"a \\\\","n":7.0,"s":"\\"[1.0]"}`,
        `{"id":"d","text":"a","n":7,"s":"\\"[1.0]","t":"\\\\"}`,
      ].join("\n"),
    );
    const found = outcomes.map((outcome) => (outcome.ok ? outcome.value : undefined));
    expect(found.map((page) => page?.id)).toEqual([
      "1234567890123456789",
      "1234567890123456788",
      "1.0",
      "b",
      "c",
      "d",
    ]);
    expect(found.map((page) => page?.carried)).toEqual([
      undefined,
      undefined,
      `{"numbers":${numbers},"__proto__":2.0,"same":2}`,
      '{"n":1e2}',
      `{"n":7.0,"s":"\\"[1.0]"}`,
      `{"n":7,"s":"\\"[1.0]","t":"\\\\"}`,
    ]);
  });

  it("reads a record that is nested very deeply", async () => {
    const deep = `${"[".repeat(30_000)}1.0${"]".repeat(30_000)}`;
    const outcomes = await read(`{"text":"a","n":1.0,"deep":${deep}}\n{"text":"b"}`);
    expect(outcomes).toMatchObject([
      { ok: true, value: { carried: '{"n":1.0,"deep":"(nested more than 100 deep, not carried along)"}' } },
      { ok: true, value: { id: "in.jsonl:2" } },
    ]);
  });

  it("explains what is wrong with scored lines", async () => {
    const lines = [
      '[{"text":"a","score":0.9},{"text":"b"}]',
      '[{"text":"a","score":"0.9"}]',
      '[{"text":"a","score":1.5}]',
      '[{"score":0.5}]',
      '["a",{"text":"b","score":0.5}]',
    ];
    const unscored = "is an array of objects that do not all have a text and a score from 0 to 1";
    const outcomes = await read(lines.map((each) => `{"lines":${each}}`).join("\n"));
    expect(outcomes.map((outcome) => (outcome.ok ? "page" : outcome.detail))).toEqual([
      `line 1: lines ${unscored}`,
      `line 2: lines ${unscored}`,
      `line 3: lines ${unscored}`,
      `line 4: lines ${unscored}`,
      "line 5: lines is an array of values that are not all strings",
    ]);
  });

  it("skips blank lines, CR and a byte order mark, but counts blank lines", async () => {
    const outcomes = await read('\uFEFF{"text":"a"}\r\n\r\n  \n{"text":"b"}\r\nno\r\n\n');
    expect(outcomes.map((outcome) => (outcome.ok ? outcome.value.id : outcome.id))).toEqual([
      "in.jsonl:1",
      "in.jsonl:4",
      "in.jsonl:5",
    ]);
  });

  it("quotes no half of a character in a reject, so that every reader takes the JSON", async () => {
    const field = { [`n${"😀".repeat(30)}`]: 1 };
    const lines = ["{😀", `{"a":b${"😀".repeat(99)}`, JSON.stringify(field)];
    const outcomes = await read(lines.join("\n"));
    expect(outcomes.map((one) => one.ok || /\p{Surrogate}/u.test(one.detail ?? ""))).toEqual([
      false,
      false,
      false,
    ]);
  });

  it("names the line and the fault of each bad record, and continues", async () => {
    const outcomes = await read(
      [
        '{"text":"a"',
        "null",
        '"text"',
        '{"id":"x"}',
        '{"html":1,"lines":["a",2],"text":null}',
        '{"text":" \\n"}',
        '{"lines":[]}',
        '{"text":"z"}',
        '{"id":"y","url":"u","body":"x","n":1,"html":null}',
        JSON.stringify(
          Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`${n}f${"x".repeat(99)}`, n])),
        ),
      ].join("\n"),
    );
    expect(
      outcomes.map((outcome) =>
        outcome.ok ? "page" : `${outcome.id} ${outcome.reason} ${outcome.detail ?? ""}`,
      ),
    ).toEqual([
      expect.stringMatching(/^in\.jsonl:1 not-json line 1: /),
      "in.jsonl:2 not-json line 2: null, not an object",
      "in.jsonl:3 not-json line 3: a string, not an object",
      "x bad-record line 4: no html, text, lines or bytes",
      "in.jsonl:5 bad-record line 5: html is a number, lines is an array of values that are not all strings, text is null",
      "in.jsonl:6 empty line 6",
      "in.jsonl:7 empty line 7",
      "page",
      "y bad-record line 9: html is null; there are body, n (--column names the field of the page)",
      expect.stringMatching(
        /^in\.jsonl:10 bad-record line 10: no html, text, lines or bytes; there are (?:\d+fx{38}…, ){10}… \(--column/,
      ),
    ]);
  });

  it("measures the size of a record in UTF-8, not in JSON", async () => {
    const escaped = `{"text":"${"\\u00e9".repeat(500)}"}`;
    expect(escaped.length).toBeGreaterThan(3000);
    expect(summarise(await read(`${escaped}\n{"lines":["${"x".repeat(1000)}","y"]}`))).toEqual([
      "page",
      "too-large",
    ]);
  });

  it("skips a line that is too long without keeping it in memory", async () => {
    collectGarbage();
    const before = process.memoryUsage().arrayBuffers;
    async function* endless(): AsyncGenerator<Uint8Array> {
      yield utf8('{"text":"a"}\n{"text":"');
      for (let i = 0; i < 500; i += 1) {
        await Promise.resolve();
        yield new Uint8Array(100_000).fill(0x62);
      }
      collectGarbage();
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1_000_000);
      yield utf8('"}\n{"text":"c"}');
    }
    const outcomes = await collectAll(readRecords(endless(), { input: "in.jsonl", maxBytes: 1000 }));
    expect(summarise(outcomes)).toEqual(["page", "too-large", "page"]);
    expect(outcomes[1]).toMatchObject({ id: "in.jsonl:2", detail: "line 2: the line is too long" });
  });

  it("reads a line of 2 MB", async () => {
    const text = "x".repeat(2_000_000);
    const [outcome] = await read(`{"text":"${text}"}`, 10_000_000, 65_536);
    expect(outcome).toMatchObject({ ok: true, value: { content: { kind: "text", text } } });
  });

  it("leaves likely pages unread, and reads them later with the same result", async () => {
    const page = `<p>${"Grün ist die 線. ".repeat(400)}`;
    const good = JSON.stringify({ id: "good", url: "https://example.org/", html: page, price: 2 });
    const lines: (string | Buffer)[] = [
      good,
      good.replace('"price":2', '"price":2.50'),
      JSON.stringify({ html: page }),
      JSON.stringify({ html: { at: page } }),
      JSON.stringify({ html: " ".repeat(5000) }),
      JSON.stringify({ html: page.repeat(9) }),
      good.slice(0, -1),
      "",
      JSON.stringify({ text: page, html: null }),
      JSON.stringify({ note: '"html":', html: "<p>short" }),
      Buffer.concat([utf8('{"html":"'), Buffer.alloc(6000, 0xff), utf8('"}')]),
      "no record",
      JSON.stringify({ text: page }),
    ];
    const file = Buffer.concat(lines.flatMap((line) => [Buffer.from(line), utf8("\n")]));
    const options = { input: "in.jsonl", maxBytes: 20_000 };
    const now = await collectAll(readRecords(inChunks(file, 4000), options));
    const unread = await collectAll(readRecords(inChunks(file, 4000), { ...options, reads: "later" }));
    const later = unread.map((outcome) =>
      outcome.ok && outcome.value.content.kind === "record" ? readUnread(outcome.value.content) : outcome,
    );
    expect(later).toEqual(now);
    expect(summarise(later)).toEqual([
      ...["page", "page", "page", "bad-record", "empty", "too-large", "not-json", "page", "page"],
      ...["not-json", "not-json", "page"],
    ]);
    expect(unread.map((outcome) => outcome.ok && outcome.value.content.kind)).toEqual([
      ...["record", "record", "record", "record", "record", "record", "record", "text", "html"],
      ...["record", false, "text"],
    ]);
  });

  it("reads an incomplete last line at once, because it may be a whole record", async () => {
    const record = JSON.stringify({ html: `<p>${"word ".repeat(2000)}` });
    async function* broken(end: number): AsyncGenerator<Uint8Array> {
      yield* inChunks(utf8(record.slice(0, end)), 5000);
      throw Object.assign(new Error("the cable was pulled"), { code: "EIO" });
    }
    for (const [end, wanted] of [
      [record.length, ["page", "unreadable"]],
      [9000, ["unreadable"]],
    ] as const) {
      const options = { input: "in.jsonl", maxBytes: 20_000, reads: "later" } as const;
      expect(summarise(await collectAll(readRecords(broken(end), options)))).toEqual(wanted);
    }
  });

  it("reports that there are no records", async () => {
    expect(await read("\n \n")).toMatchObject([{ id: "in.jsonl", reason: "empty", detail: "no records" }]);
  });
});

describe("records give the same outcomes however the bytes arrive", () => {
  const RECORDS = Array.from({ length: 9 }, (_, i) =>
    i % 4 === 3
      ? `{"id":"r${i}", broken ${i}`
      : JSON.stringify({ id: `r${i}`, text: `Zeile ${i} — grün, 線, ${Math.sin(i)}` }),
  );
  const plain = utf8(RECORDS.join("\n"));
  const packed = new Uint8Array(
    Buffer.concat([gzipSync(plain.subarray(0, 300)), gzipSync(plain.subarray(300))]),
  );

  const open = (bytes: Uint8Array, size: number) =>
    gather(openInputs(["-"], { stdin: inChunks(bytes, size), maxBytes: 1000, timeoutMs: 1000 }));

  for (const [name, bytes] of [
    ["plain", plain],
    ["gzip", packed],
  ] as const) {
    it(`in one chunk and byte by byte, ${name}`, async () => {
      const whole = await open(bytes, bytes.length);
      expect(summarise(whole)).toEqual([
        "page",
        "page",
        "page",
        "not-json",
        "page",
        "page",
        "page",
        "not-json",
        "page",
      ]);
      for (const size of [1, 2, 7, 64]) expect(await open(bytes, size)).toEqual(whole);
    });

    it(`cut off at every tenth byte, ${name}`, async () => {
      const whole = await open(bytes, bytes.length);
      for (let length = 40; length < bytes.length; length += 10) {
        const cut = bytes.subarray(0, length);
        const outcomes = await open(cut, cut.length);
        expect(await open(cut, 1), `cut at ${length}`).toEqual(outcomes);
        const last = outcomes.at(-1);
        const complete = outcomes.filter(
          (outcome, i) => i < whole.length && JSON.stringify(outcome) === JSON.stringify(whole[i]),
        );
        // All outcomes but the last must equal those of the whole; the last one may be a reject.
        expect(complete.length).toBeGreaterThanOrEqual(outcomes.length - 1);
        if (name === "gzip") expect(last).toMatchObject({ ok: false, reason: "broken-gzip", id: "stdin" });
      }
    });
  }
});

/** Tests the scripts of the `page` labeller's trainer, most of which need no PyTorch, against the code whose rules they must share. */
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isHeldOut } from "../../bench/corpora/reader.js";
import { readGold, type GoldRecord } from "../../src/acquire/records/gold.js";
import { PAGE_TYPES, type BlockTag } from "../../src/document.js";
import { calibrate } from "../../src/label/page/page-model.js";
import { choosePageCut } from "../../src/label/page/page-verdict.js";
import { judgePage } from "../../src/label/page/page-verdict.js";
import { ENGINE_NAMES, type Tensor } from "../../src/label/network/engine.js";
import { chooseEngine } from "../../src/label/network/engines.js";
import { evaluate, hasNumpy, hasPython, hasTorch, needs, pipe } from "./python.js";

const makeVariants = (records: readonly unknown[]): Made[] => pipe("page.variants", records) as Made[];

interface Made extends GoldRecord {
  readonly variant: string;
  readonly base: string;
}

describe("variants.py", () => {
  const line = (text: string, label: 0 | 1, path: string, block: BlockTag, linkChars = 0) => {
    return { text, label, path, block, linkChars, breakBefore: "block", span: [100, 140 + text.length] };
  };
  const ARTICLE = "body.home>div#page.site>main[role=main]>article.post";
  const page = {
    id: "p",
    lang: "en",
    source: "wcxb",
    title: "Otters are back",
    pageType: "article",
    lines: [
      line("Home and all the other places of the town", 0, "body.home>nav#menu>ul>li>a", "li", 41),
      line("News", 0, "body.home>nav#menu>ul>li>a", "li", 4),
      line("Otters are back", 1, `${ARTICLE}>h1`, "h1"),
      line("A baker saw them at dawn, near the old bridge of the town.", 1, `${ARTICLE}>p`, "p", 10),
      line("“They looked at me,” she said.", 1, `${ARTICLE}>p`, "p"),
      line("Share", 0, `${ARTICLE}>footer>span.share`, "footer"),
      line("Contact", 0, "body.home>footer>p", "p", 7),
      line("Terms", 0, "body.home>footer>p", "p", 5),
    ],
  };
  const pages = Array.from({ length: 12 }, (_, at) => ({ ...page, id: `p${at}` }));
  const long = { ...page, id: "long", lines: Array.from({ length: 1501 }, () => page.lines[3]) };
  const text = { ...page, id: "t", lines: page.lines.map(({ text, label }) => ({ text, label })) };

  it("makes pages that the exporter can read, the same ones each time", async (context) => {
    needs(context, hasPython, "Python 3.9");
    const made = makeVariants([...pages, long]);
    expect(makeVariants([...pages, long])).toEqual(made);
    expect(new Set(made.map(({ id }) => id)).size).toBe(made.length);
    expect(made.map(({ variant }) => variant)).toEqual(
      pages.flatMap(() => ["disguised", "aged", "plain", "empty"]),
    );
    const file = join(mkdtempSync(join(tmpdir(), "thresher-train-")), "made.jsonl");
    writeFileSync(file, made.map((one) => `${JSON.stringify(one)}\n`).join(""));
    const read: GoldRecord[] = [];
    // This rejects a block that does not exist, a link longer than its text, and a span that runs backwards.
    for await (const record of readGold(file)) read.push(record);
    expect(read.length).toBe(made.length);
  });

  it("keeps every line's label, except the content of emptied pages", (context) => {
    needs(context, hasPython, "Python 3.9");
    const labels = page.lines.map(({ label }) => label);
    for (const { variant, lines, source, base } of makeVariants(pages)) {
      const wanted = variant === "empty" ? labels.filter((label) => label === 0) : labels;
      expect(lines.map(({ label }) => label)).toEqual(wanted);
      expect([source, base.slice(0, 1)]).toEqual(["wcxb", "p"]);
    }
  });

  it("changes in each variant what it is made for", (context) => {
    needs(context, hasPython, "Python 3.9");
    const made = makeVariants(pages);
    const of = (variant: string): Made[] => made.filter((one) => one.variant === variant);
    const paths = (variant: string): string => of(variant).flatMap(({ lines }) => lines.map(({ path }) => path)).join("\n"); // oxfmt-ignore
    expect(paths("aged")).not.toMatch(/[#.[]|\bmain\b|article|nav|footer/);
    expect(paths("aged")).toMatch(/table>tbody>tr>td/);
    expect(paths("plain")).not.toMatch(/[#[]|post|site|share/);
    for (const { lines, title, lang } of of("disguised")) {
      if (lang === "lower") continue;
      expect(lines[3]?.text).not.toMatch(/baker|bridge/);
      expect(title).not.toMatch(/Otters are/);
      // The whole entry of the menu was a link, and still is.
      expect(lines[0]?.linkChars).toBe(lines[0]?.text.length);
    }
  });

  it("leaves little content on a page that has much, and all boilerplate around it", (context) => {
    needs(context, hasPython, "Python 3.9");
    const prose = Array.from({ length: 40 }, (_, at) =>
      line(`${at}. A baker saw them at dawn, near the old bridge of the town.`, 1, `${ARTICLE}>p`, "p"),
    );
    const much = { ...page, lines: [...page.lines.slice(0, 3), ...prose, ...page.lines.slice(5)] };
    const short = makeVariants(pages.map(({ id }) => ({ ...much, id }))).filter(
      ({ variant }) => variant === "short",
    );
    expect(short).toHaveLength(12);
    const lengths = short.map(({ lines }) => {
      expect(lines.filter(({ label }) => label === 0)).toHaveLength(5);
      expect(much.lines.map(({ text }) => text)).toEqual(
        expect.arrayContaining(lines.map(({ text }) => text)),
      );
      return lines.reduce((sum, { text, label }) => sum + (label === 1 ? text.length : 0), 0);
    });
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(80);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(1200);
    expect(new Set(lengths).size).toBeGreaterThan(3);
  });

  it("only disguises lines without a path, and never empties an empty page", (context) => {
    needs(context, hasPython, "Python 3.9");
    expect(makeVariants([text]).map(({ variant }) => variant)).toEqual(["disguised"]);
    const empty = { ...page, lines: page.lines.map((one) => ({ ...one, label: 0 })) };
    expect(makeVariants([empty]).map(({ variant }) => variant)).not.toContain("empty");
  });
});

describe("the trainer and the program", () => {
  it("hold out the same sites", (context) => {
    needs(context, hasPython, "Python 3.9");
    const urls = Array.from({ length: 200 }, (_, at) => `https://www.site-${at}.example.co/pages/${at}`);
    const code = `from page.prepare_pages import fold_of, urlparse
print(json.dumps([fold_of(urlparse(url).netloc or "id") for url in given]))`;
    // The last two labels of a host name make a site, so the last but one varies.
    const hosts = urls.map((url, at) => url.replace("example.co", `example${at}.org`));
    const folds = evaluate(code, hosts) as number[]; // the code prints one a host
    expect(folds.map((fold) => fold === 0)).toEqual(hosts.map((url) => isHeldOut({ url, id: "id" })));
    expect(new Set(folds).size).toBe(5);
  });

  it("have the same page types, and cut a page at the same score", (context) => {
    needs(context, hasNumpy, "NumPy");
    expect(evaluate("from page.page_types import PAGE_TYPES\nprint(json.dumps(PAGE_TYPES))", null)).toEqual(
      PAGE_TYPES,
    );
    let seed = 1;
    const random = (): number => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
    const cases = Array.from({ length: 300 }, (_, at) => {
      const size = 1 + Math.floor(random() * 60);
      // Scores are rounded, so that they are often equal; sometimes none is high.
      const scores = Array.from({ length: size }, () => Math.round(random() ** (at % 7) * 20) / 20);
      return { scores, letters: scores.map(() => Math.floor(random() * 200)) };
    });
    cases.push({ scores: [0, 0], letters: [3, 4] }, { scores: [0.4], letters: [0] });
    const code = `import numpy as np
from page.page_label import page_cut
print(json.dumps([page_cut(np.array(one["scores"]), np.array(one["letters"])) for one in given]))`;
    expect(evaluate(code, cases)).toEqual(
      cases.map(({ scores, letters }) => choosePageCut(scores, letters, "balanced")),
    );
  });

  it("give a page the same score of main content", (context) => {
    needs(context, hasNumpy, "NumPy");
    let seed = 7;
    const random = (): number => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
    const numbers = (size: number, scale: number): number[] =>
      Array.from({ length: size }, () => Math.fround((random() - 0.5) * scale));
    const bends = [
      { at: -3, by: -0.5 },
      { at: 1.5, by: 0.3 },
    ];
    const calibration = { slope: 0.75, offset: -0.1, bends };
    const verdict = { slope: 0.25, letters: 0.7, highest: 0.3, walls: -3, offset: -4, threshold: 0.1 };
    const cases = Array.from({ length: 100 }, () => {
      const lines = numbers(1 + Math.floor(random() * 40), 8);
      return {
        lines,
        page: numbers(PAGE_TYPES.length + 1, 12),
        letters: lines.map(() => Math.floor(random() * 300)),
        walls: Math.max(0, random() - 0.5),
      };
    });
    const code = `from page.page_label import content_score
print(json.dumps([content_score(one, given["fit"]) for one in given["cases"]]))`;
    const ours = cases.map(({ lines, page, letters, walls }) => {
      const logits = { lines: Float32Array.from(lines), page: Float32Array.from(page) };
      const scores = logits.lines.map((logit) => calibrate(logit, calibration));
      return judgePage(logits, { scores, lengths: letters, walls }, { types: PAGE_TYPES, verdict }).score;
    });
    expect(new Set(ours).size).toBeGreaterThan(50);
    expect(evaluate(code, { cases, fit: { calibration, verdict } })).toEqual(ours);
  });

  it("fit a verdict in which each sign counts in its own direction, and whose threshold spares each page type", (context) => {
    needs(context, hasNumpy, "NumPy");
    const code = `import numpy as np
from page.fit_verdict import fit, threshold_of
rng = np.random.default_rng(1)
answers = np.array([0.0, 1.0] * 200)
# The first sign is turned round, the third says nothing, the last speaks against content.
signs = np.stack([-answers, answers, rng.normal(size=400), 1 - answers], 1) + rng.normal(size=(400, 4))
slopes, _ = fit(answers, signs, np.ones(400))
scores = np.concatenate([np.linspace(0.3, 0.9, 100), np.linspace(0.2, 0.9, 400), [0.05] * 10, np.linspace(0.25, 0.9, 100)])
groups = np.array(["forum"] * 100 + ["article"] * 400 + ["home"] * 10 + ["short forum"] * 100)
variants = np.array(["base"] * 510 + ["short"] * 100)
print(json.dumps({"slopes": slopes.tolist(), "threshold": threshold_of(scores, groups, variants, np.ones(610)), "third": scores[102]}))`;
    const said = evaluate(code, null) as { slopes: number[]; threshold: number; third: number };
    expect(said.slopes[0]).toBe(0);
    expect(said.slopes[1]).toBeGreaterThan(0.3);
    expect(said.slopes[3]).toBeLessThan(-0.3);
    // Two of 400 articles are .5 %; none of a hundred forums may be lost, and ten home pages are too few to count.
    expect(said.threshold).toBe(said.third);
  });
});

describe("lean_page.py", () => {
  /** Makes a network of eight channels with different weights, as exported, and lean from its parameters and from the export. */
  const MAKE = `import os, shutil, torch
from common.model_folder import write_network
from page.lean_page import weights_of, write_lean
from page.page_network import LEVELS, build
torch.manual_seed(5)
settings = {"hidden": 8, "width": 4, "dilations": [1, 2, 4], "dropout": 0.1, "evened": {"own": [1.0, 0.5], "parent": [0.2, 9.0]}}
reader, _ = build({"columns": list("abcde"), "bags": ["x", "y"], "groups": LEVELS, "tableRows": 4}, 2, 8, settings)
with torch.no_grad():
    for values in reader.state_dict().values():
        values.copy_(torch.randn(values.shape) * 0.5)
reader.eval()
exported = os.path.join(given, "model.onnx")
write_network(given, reader, {"hand": 5, "bags": 8}, {"logits": True, "page": False}, levels=len(LEVELS))
for name, weights in {"read": None, "known": weights_of(reader)}.items():
    path = os.path.join(given, name + ".onnx")
    shutil.copyfile(exported, path)
    write_lean(path, settings, weights)
print(json.dumps({}))`;

  const numbers = (size: number): Float32Array =>
    Float32Array.from({ length: size }, (_, at) => Math.sin(at * 7.3) * 2);
  const page = (rows: number): Record<string, Tensor> => ({
    hand: { data: numbers(rows * 5), dims: [rows, 5] },
    bags: { data: numbers(rows * 8), dims: [rows, 8] },
    groups: { data: Int32Array.from({ length: rows * 4 }, (_, at) => at % 3), dims: [rows, 4] },
    shares: { data: Float32Array.of(0.5, 0.25, 1), dims: [3] },
  });

  const EXPORT_MS = 120_000;
  it(
    "writes a network with the same results in each engine, also for fewer lines than it reaches",
    { timeout: EXPORT_MS },
    async (context) => {
      needs(context, hasTorch(), "PyTorch and ONNX");
      const folder = mkdtempSync(join(tmpdir(), "thresher-lean-"));
      evaluate(MAKE, folder);
      for (const name of ENGINE_NAMES) {
        const engine = await chooseEngine(name);
        const open = (file: string) => engine.load(readFileSync(join(folder, `${file}.onnx`)));
        const [exported, ...lean] = await Promise.all(["model", "read", "known"].map(open));
        for (const rows of [1, 2, 5, 40]) {
          const wanted = await exported?.run(page(rows));
          for (const graph of lean) {
            const made = await graph.run(page(rows));
            for (const output of ["logits", "page"]) {
              const [ours, theirs] = [made[output], wanted?.[output]];
              expect(ours?.dims).toEqual(theirs?.dims);
              for (const [at, one] of [...(theirs?.data ?? [])].entries())
                expect(Math.abs(one - (ours?.data[at] ?? Number.NaN)), `${name}, ${rows}`).toBeLessThan(1e-4);
            }
          }
        }
      }
    },
  );
});

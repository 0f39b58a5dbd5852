import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Tests that load what is built for browsers; it is built once before them. */
const BROWSER = ["test/browser/*.test.ts"];

/**
 * Lists what `npm run test:all` and CI run and `npm test` leaves out: tests that start the command many times or train a
 * model, wait for real seconds, or measure how costs grow. Without them `npm test`, from a fresh clone on, takes two busy
 * cores less than three minutes.
 */
export const SLOW = [
  // The command in processes of its own, again and again, and processes that are killed.
  "test/cli/{clean,features,formats,other-node,poison,proxy,stream}.test.ts",
  "test/cli/run/{resume,check-places}.test.ts",
  "test/cli/crawl/crawl-{command,hostile,kill}.test.ts",
  "test/cli/shard/*.test.ts",
  "test/shard/plan/split.test.ts",
  "test/work/{cleaner,cleaners,guard}.test.ts",
  "test/work/process/watch-parent.test.ts",
  "test/serve/{clean,docs,interface,limits,stream}.test.ts",
  "test/setup.test.ts",
  // A real S3 server, in a process of its own.
  "test/acquire/objects/objects.test.ts",
  "test/cli/shard/shard-{dataset,objects}.test.ts",
  // Servers that are silent, and crawlers that wait because a site asks them to.
  "test/acquire/http/{fetch,transport,transport-hostile,transport-secure}.test.ts",
  "test/crawl/{answers,crawl,crawler,recrawl,resume}.test.ts",
  "test/crawl/robots/politeness.test.ts",
  // Costs of large inputs, and many random ones.
  "test/acquire/lists/{seeds,sitemap}.test.ts",
  "test/acquire/packed/decompress.test.ts",
  "test/acquire/parquet/parquet.test.ts",
  "test/acquire/warc/warc-{damage,fuzz}.test.ts",
  "test/extract/big.test.ts",
  "test/extract/readability/*.test.ts",
  "test/filter/{pipeline,document-filters}.test.ts",
  "test/filter/duplicates/{digest-table,near}.test.ts",
  "test/shard/duplicates/{command,dedup,solve}.test.ts",
  // Spark, with threads and with processes for executors.
  "test/engines/spark-dedup.test.ts",
  "test/fuzz/*.test.ts",
  "test/label/features.test.ts",
  "test/label/network/{engines,without-native}.test.ts",
  "test/label/features/{export,page/place}.test.ts",
  "test/parse/{charset,quick-costs,quick-properties,standard-tree}.test.ts",
  "test/write/tables/parquet.test.ts",
  "test/language/words.test.ts",
  // The build for browsers, in real ones.
  ...BROWSER,
  // The types of the package, compiled as other programs compile them, and the package installed.
  "test/{install,package}.test.ts",
  // Every command of the recipes.
  "test/recipes.test.ts",
  // Other extractors, programs of the laboratory, gold of other projects.
  "test/bench/{lab,systems}/**/*.test.ts",
  "test/bench/metrics/{reproduction,align/align}.test.ts",
  "test/bench/run/{run-bench,measure-speed,profile/profile}.test.ts",
  "test/cli/bench.test.ts",
  // Training scripts in Python, and the models of papers.
  "test/report/report-command.test.ts",
  // A server and a browser.
  "test/inspect/inspect-{command,page}.test.ts",
  "test/train/*.test.ts",
  "test/train/own/{network,train-command,train-model}.test.ts",
  "test/tutorial/*.test.ts",
  // The package for Python, with its processes that are killed and that hang.
  "test/python/*.test.ts",
  // A real Slurm and a real Spark.
  "test/engines/*.test.ts",
  "test/label/papers/boilernet/boilernet-labeller.test.ts",
  "test/label/papers/transformer/{hub,missing,transformer-folder,transformer-labeller}.test.ts",
];

/** Those that take most of a minute or longer: they begin first, so that none of them is left to run alone at the end. */
const LONGEST = [
  "cli/crawl/crawl-command",
  "engines/spark",
  "cli/clean",
  "python/python-package",
  "inspect/inspect-page",
  "engines/spark-dedup",
  "cli/run/resume",
  "engines/slurm",
  "cli/crawl/crawl-kill",
  "browser/browser",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const at = LONGEST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
      return at === -1 ? LONGEST.length : at;
    };
    return (await super.sort(files)).sort((one, other) => place(one) - place(other));
  }
}

const ALL = "test/**/*.test.ts";

/** Where no half is asked for, both are one: each worker then loads once what both need. */
const isWhole = !process.argv.some((word) => word.startsWith("--project"));

export default defineConfig({
  test: {
    // Many tests wait for processes and clocks, so three run at once on two cores.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    // Files share what is loaded, as users' programs do: to load it for each took a third of the time of `npm test`.
    isolate: false,
    // The proxies of whoever runs the tests do not lead to the servers of the tests.
    env: { http_proxy: "", https_proxy: "", all_proxy: "", no_proxy: "" },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    sequence: { sequencer: LongestFirst },
    globalSetup: ["test/temporary-folder.ts", "test/built.ts"],
    projects: [
      ...(isWhole
        ? [{ extends: true as const, test: { name: "all", include: [ALL], exclude: BROWSER } }]
        : [
            { extends: true as const, test: { name: "quick", include: [ALL], exclude: SLOW } },
            { extends: true as const, test: { name: "slow", include: SLOW, exclude: BROWSER } },
          ]),
      { extends: true, test: { name: "browser", include: BROWSER, globalSetup: "test/browser/build.ts" } },
    ],
  },
});

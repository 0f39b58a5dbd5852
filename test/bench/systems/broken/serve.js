/** Systems that are broken on purpose, each in the way that the argument names. A page whose url ends in "fine" is answered well. */
import { serve } from "../../../../bench/systems/serve.js";

const textOf = ({ html, lines }) => (lines === undefined ? html.replace(/<[^>]*>/g, "\n") : lines.join("\n"));

let before = "nothing was asked before";

const WAYS = {
  works: textOf,
  throws: () => {
    throw new RangeError("this page is too much");
  },
  hangs: () => {
    for (;;);
  },
  waits: () => new Promise((resolve) => setTimeout(resolve, 600_000)),
  dies: () => process.kill(process.pid, "SIGSEGV"),
  leaves: () => {
    process.stderr.write("out of luck\n");
    process.exit(7);
  },
  twice: (page) => `${textOf(page)}\n${textOf(page)}`,
  other: (page) => {
    const text = before;
    before = textOf(page);
    return text;
  },
  prints: (page) => {
    process.stdout.write("a library says hello\n");
    // oxlint-disable-next-line no-console -- libraries do
    console.log("and again");
    return textOf(page);
  },
};

const way = process.argv[2];
await serve(() => {
  if (way === "refuses") throw new Error("the option does not fit");
  if (way === "falls") process.exit(9);
  return {
    version: "0",
    options: way,
    async run(page) {
      return { text: await (page.url.endsWith("fine") ? textOf : WAYS[way])(page) };
    },
  };
});

/**
 * Turns fixtures of this project into the documents of texrex's parity test: lines with the fields that the labeller reads,
 * and their features, one JSON object per line on stdout.
 *
 *     node models/train/papers/texrex/texrex_parity.js > parity.rows.jsonl
 *
 * DIST names another build of the program.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { built } from "../../common/built.js";
import { plainLines } from "../../common/plain_document.js";

const { openReader } = await built("core/read-page.js");
const { describeLines, hideMarkup } = await built("label/papers/texrex/texrex-features.js");
const { isBlank } = await built("label/label-line.js");

const PAGES = fileURLToPath(new URL("../../../../fixtures/pages/", import.meta.url));
/** Every fourth fixture is used, in alphabetical order, and at most this many lines of each. */
const EVERY = 4;
const MOST_LINES = 40;

const read = await openReader("page", { leftOut: "drop", markup: "count" });
const slugs = readdirSync(PAGES, { withFileTypes: true }).filter((entry) => entry.isDirectory());
for (const { name } of slugs.filter((_, at) => at % EVERY === 0)) {
  const outcome = read({
    id: name,
    url: "",
    content: { kind: "bytes", bytes: readFileSync(join(PAGES, name, "source.html")) },
  });
  if (!outcome.ok) continue;
  const lines = outcome.value.lines.filter(({ text }) => !isBlank(text)).slice(0, MOST_LINES);
  const placed = lines.map(({ text, block, path, linkChars, breakBefore, links, markup }) => ({
    text,
    block,
    path,
    linkChars,
    breakBefore,
    links,
    markup,
  }));
  const rows = describeLines(lines, outcome.value.markup);
  process.stdout.write(
    `${JSON.stringify({ id: name, markup: outcome.value.markup, lines: placed, rows: [...rows] })}\n`,
  );
  // The same lines as plain text, through the other network.
  const plain = plainLines(lines);
  const bare = describeLines(plain);
  hideMarkup(bare);
  process.stdout.write(`${JSON.stringify({ id: `${name}, text`, lines: plain, rows: [...bare] })}\n`);
}

/**
 * Writes what gold pages say about their type (`clues`, as listed by the built program): one JSON object per page, to stdout.
 *
 *     node models/train/page/page_clues.js INPUT.jsonl[.gz]... > clues.jsonl
 */
import { once } from "node:events";
import { built, readRows } from "../common/built.js";

const { openReader } = await built("core/read-page.js");
const read = await openReader("page", { leftOut: "drop" });

for (const input of process.argv.slice(2))
  for await (const { id, url: address, html } of readRows(input)) {
    const url = address ?? "";
    const outcome = read({ id, url, content: { kind: "html", html } });
    const clues = outcome.ok ? (outcome.value.clues ?? []) : [];
    if (!process.stdout.write(`${JSON.stringify({ id, url, clues })}\n`)) await once(process.stdout, "drain");
  }

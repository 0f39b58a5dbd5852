/** Makes sites that never end: a calendar, session ids, paths that grow, tags that combine. */
import { createHash } from "node:crypto";
import { page, site, robots } from "./answers.js";
import type { Answer, Site } from "./farm.js";

/** One page more for every page that is asked for. */
function endless(first: string, next: (path: string) => readonly string[]): Site {
  const inside: Answer = (hit) => {
    page(`Page ${hit.path}`, next(hit.path))(hit);
  };
  return site({ "/": page("The entrance", [first]), "*": inside, "/robots.txt": robots() });
}

/** The month after this one, and each of its days. */
export const calendar = endless("/calendar?month=2024-01", (path) => {
  const [, year = "2024", month = "1"] = /month=(\d+)-(\d+)/.exec(path) ?? [];
  const next = new Date(Date.UTC(Number(year), Number(month), 1)).toISOString();
  return [
    `/calendar?month=${next.slice(0, 7)}`,
    `/calendar/${year}/${month}/1`,
    `/calendar/${year}/${month}/2`,
  ];
});

/** The same page under another id each time. */
export const sessions = endless("/shop?sid=0123456789abcdef0123456789abcdef", (path) =>
  [1, 2, 3].map((more) => {
    const id = createHash("sha256").update(`${path} ${more}`).digest("hex").slice(0, 32);
    return `/shop?sid=${id}`;
  }),
);

/** A link that is meant from the root, and leads from here. */
export const deepening = endless("/docs/", (path) => [`${path}guide/docs/`]);

/** One choice more for every choice. */
export const facets = endless("/list?tag=1", (path) => [`${path}&tag=${path.length}`]);

/** Makes sites that never end: a calendar, session ids, paths that grow, and tags that combine. */
import { createHash } from "node:crypto";
import { page, site, robots } from "./answers.js";
import type { Answer, Site } from "./farm.js";

/** Makes a site on which every page that is requested links to new pages. */
function endless(first: string, next: (path: string) => readonly string[]): Site {
  const inside: Answer = (hit) => {
    page(`Page ${hit.path}`, next(hit.path))(hit);
  };
  return site({ "/": page("The entrance", [first]), "*": inside, "/robots.txt": robots() });
}

/** Each month links to the next month and to two of its own days. */
export const calendar = endless("/calendar?month=2024-01", (path) => {
  const [, year = "2024", month = "1"] = /month=(\d+)-(\d+)/.exec(path) ?? [];
  const next = new Date(Date.UTC(Number(year), Number(month), 1)).toISOString();
  return [
    `/calendar?month=${next.slice(0, 7)}`,
    `/calendar/${year}/${month}/1`,
    `/calendar/${year}/${month}/2`,
  ];
});

/** Each page links to three pages with new session ids. */
export const sessions = endless("/shop?sid=0123456789abcdef0123456789abcdef", (path) =>
  [1, 2, 3].map((more) => {
    const id = createHash("sha256").update(`${path} ${more}`).digest("hex").slice(0, 32);
    return `/shop?sid=${id}`;
  }),
);

/** A relative link that was meant to start at the root: each page links to a deeper path. */
export const deepening = endless("/docs/", (path) => [`${path}guide/docs/`]);

/** Each page links to a page with one more tag in its query. */
export const facets = endless("/list?tag=1", (path) => [`${path}&tag=${path.length}`]);

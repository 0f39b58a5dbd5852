/** Sites that never end: a calendar, session ids, paths that grow, tags that combine. */
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
export const sessions = endless("/shop?sid=00000001", (path) => {
  const number = Number(/sid=(\d+)/.exec(path)?.[1] ?? 0);
  return [1, 2, 3].map((more) => `/shop?sid=${String(number * 3 + more).padStart(32, "0")}`);
});

/** A link that is meant from the root, and leads from here. */
export const deepening = endless("/docs/", (path) => [`${path}docs/`, `${path}guide/docs/`]);

/** Ever more parameters. */
export const facets = endless("/list?a=1", (path) =>
  ["b", "c", "d"].map((name) => `${path}&${name}${path.length}=1`),
);

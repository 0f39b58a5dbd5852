/** Runs Mozilla's Readability over linkedom with its defaults. Uses its HTML, because its textContent joins neighbouring blocks. */
import { Readability } from "@mozilla/readability";
import { parsePage } from "./dom.js";
import { versionOf } from "./versions.js";

const WAYS = {
  content: (article) => ({ html: article?.content ?? "" }),
  metadata(article) {
    const { title, byline, publishedTime, siteName, excerpt, lang } = article ?? {};
    return {
      fields: { title, author: byline, date: publishedTime, site: siteName, description: excerpt, lang },
    };
  },
};

/** @param {string} subject */
export function load(subject) {
  const way = subject === "metadata" ? "metadata" : "content";
  const what = way === "content" ? "content" : "title, byline, publishedTime, siteName, excerpt, lang";
  return {
    version: versionOf("@mozilla/readability"),
    options: `new Readability(document).parse().${what}, linkedom ${versionOf("linkedom")}`,
    run: ({ html }) => WAYS[way](new Readability(parsePage(html)).parse()),
  };
}

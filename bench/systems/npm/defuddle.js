/** Runs Defuddle over linkedom, as its manual shows for Node.js, but without its requests to third parties. */
import { Defuddle } from "defuddle/node";
import { parsePage } from "./dom.js";
import { versionOf } from "./versions.js";

const WAYS = {
  lines: { options: "", read: ({ content }) => ({ html: content }) },
  structure: { options: ", markdown: true", read: ({ content }) => ({ markdown: content }) },
  metadata: {
    options: "",
    read: ({ title, author, published, site, description, image, language }) => ({
      fields: { title, author, date: published, site, description, image, lang: language },
    }),
  },
};

/** @param {string} subject */
export function load(subject) {
  const { options, read } = WAYS[subject];
  const settings = { useAsync: false, ...(subject === "structure" ? { markdown: true } : {}) };
  return {
    version: versionOf("defuddle"),
    options: `await Defuddle(document, url, { useAsync: false${options} }), linkedom ${versionOf("linkedom")}`,
    run: async ({ html, url }) =>
      read(await Defuddle(parsePage(html), url === "" ? undefined : url, settings)),
  };
}

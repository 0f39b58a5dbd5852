/** Runs Mercury Parser on given HTML. It fetches nothing, neither the page nor its continuation pages. */
import Parser from "@jocmp/mercury-parser";
import { versionOf } from "./versions.js";

/** The address for pages that have none. Mercury Parser requires one, and chooses its rules for single sites by it. */
const NOWHERE = "https://page.invalid/";

const WAYS = {
  structure: ({ content }) => ({ html: content ?? "" }),
  metadata: ({ title, author, date_published: date, excerpt, lead_image_url: image }) => ({
    fields: { title, author, date, description: excerpt, image },
  }),
};

/** @param {string} subject */
export function load(subject) {
  return {
    version: versionOf("@jocmp/mercury-parser"),
    options: "Parser.parse(url, { html, fetchAllPages: false })",
    async run({ html, url }) {
      const settings = { html, fetchAllPages: false };
      const result = await Parser.parse(isUrl(url) ? url : NOWHERE, settings);
      // It reports errors in its result.
      if (result.error) throw new Error(result.message);
      return WAYS[subject](result);
    },
  };
}

/** @param {string} text */
function isUrl(text) {
  try {
    return new URL(text).href !== "";
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

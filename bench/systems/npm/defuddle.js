/** Defuddle over linkedom, as its manual shows for Node; only its requests to third parties are off: no system may use the network. */
import { Defuddle } from "defuddle/node";
import { parsePage } from "./dom.js";
import { versionOf } from "./versions.js";

export function load() {
  return {
    version: versionOf("defuddle"),
    options: `await Defuddle(document, url, { useAsync: false }), linkedom ${versionOf("linkedom")}`,
    async run({ html, url }) {
      const page = await Defuddle(parsePage(html), url === "" ? undefined : url, { useAsync: false });
      return { html: page.content };
    },
  };
}

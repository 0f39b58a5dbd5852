/** Mozilla's Readability over linkedom, stock. Its HTML is what counts: its textContent glues neighbouring blocks. */
import { Readability } from "@mozilla/readability";
import { parsePage } from "./dom.js";
import { versionOf } from "./versions.js";

export function load() {
  return {
    version: versionOf("@mozilla/readability"),
    options: `new Readability(document).parse().content, linkedom ${versionOf("linkedom")}`,
    run: ({ html }) => ({ html: new Readability(parsePage(html)).parse()?.content ?? "" }),
  };
}

/** Stands in for a library of charsets in the ES module: browsers have them all, by the same standard. */
export { TextDecoder, labelToName } from "@exodus/bytes/encoding-browser.js";
export { decodeLatin1 as isomorphicDecode } from "../../src/bytes/latin1.js";

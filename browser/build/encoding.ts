/** Replaces a library of charsets in the ES module, because browsers have all charsets, by the same standard. */
export { TextDecoder, labelToName } from "@exodus/bytes/encoding-browser.js";
export { decodeLatin1 as isomorphicDecode } from "../../src/bytes/latin1.js";

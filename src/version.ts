/** The version of this package, as package.json says it. */
import { createRequire } from "node:module";

const manifest = createRequire(import.meta.url)("../package.json") as { readonly version: string }; // our own file

export const VERSION = manifest.version;

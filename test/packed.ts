/** Lists what `npm pack` would put into the tarball. `npm test` has already built the package. */
import { execFileSync } from "node:child_process";

export interface Packed {
  /** In bytes. */
  readonly unpackedSize: number;
  /** Paths from the root. */
  readonly files: readonly { readonly path: string }[];
}

export function packPackage(): Packed {
  const args = ["pack", "--dry-run", "--json", "--ignore-scripts", "--loglevel=error"];
  const json = execFileSync("npm", args, { encoding: "utf8", shell: process.platform === "win32" });
  return (JSON.parse(json) as readonly Packed[])[0] ?? { unpackedSize: 0, files: [] }; // the documented output of npm
}

/** Resolves the host names of a farm to loopback addresses, for crawls in this process and in others. */
import { platform } from "node:os";

/** How many addresses hosts share where all of 127.0.0.0/8 is this machine; macOS has only 127.0.0.1. */
const ADDRESSES = 8;

export type NameTable = Readonly<Record<string, readonly string[]>>;

/** Lists the loopback addresses of this machine that a farm uses. */
export function listAddresses(): string[] {
  if (platform() === "darwin") return ["127.0.0.1"];
  return Array.from({ length: ADDRESSES }, (_, at) => `127.0.0.${at + 1}`);
}

/** Assigns the addresses to the names in turn. */
export function spreadNames(names: Iterable<string>, addresses: readonly string[]): NameTable {
  return Object.fromEntries([...names].map((name, at) => [name, [addresses[at % addresses.length] ?? ""]]));
}

/** Resolves a name; rejects with ENOTFOUND, as the system does, when the table lacks it. */
export function lookUp(table: NameTable, name: string): Promise<readonly string[]> {
  const found = table[name];
  return found === undefined
    ? Promise.reject(Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: "ENOTFOUND" }))
    : Promise.resolve(found);
}

/**
 * Returns a module for `node --import`. In that process, names of the table resolve as the table says, and all other
 * names fail with ENOTFOUND.
 */
export function nameModule(table: NameTable): string {
  const code = `
import dns from "node:dns";
import { syncBuiltinESMExports } from "node:module";
const table = ${JSON.stringify(table)};
const find = (name) => {
  const found = table[name];
  if (found !== undefined) return found.map((address) => ({ address, family: 4 }));
  throw Object.assign(new Error("getaddrinfo ENOTFOUND " + name), { code: "ENOTFOUND", syscall: "getaddrinfo", hostname: name });
};
dns.promises.lookup = async (name, options) => {
  const found = find(name);
  return options?.all === true ? found : found[0];
};
dns.lookup = (name, options, done) => {
  const call = done ?? options;
  dns.promises.lookup(name, done === undefined ? {} : options).then(
    (found) => (Array.isArray(found) ? call(null, found) : call(null, found.address, found.family)),
    (error) => call(error),
  );
};
syncBuiltinESMExports();
`;
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

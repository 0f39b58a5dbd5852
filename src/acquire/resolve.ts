/** A host into the addresses that may be connected to: all of them checked, and none of them asked for twice. */
import { promises as dns } from "node:dns";
import { isIP } from "node:net";
import { whyNotPublic } from "./address.js";
import { codeOf } from "./read-errors.js";

/** Finds the addresses of a name. Rejects, or gives none, where there are none. */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

/** "any" lets private addresses in as well: one's own servers. */
export type AddressPolicy = "public" | "any";

/** The name has no address. */
export class DnsError extends Error {
  override readonly name = "DnsError";
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** The host stands where nobody may be sent to. */
export class BlockedError extends Error {
  override readonly name = "BlockedError";
  readonly code = "BLOCKED_ADDRESS";
}

export interface Resolver {
  /** As a URL has it, an address in brackets included. Throws BlockedError if it is an address that is not admitted. */
  checkLiteral(hostname: string): void;
  /** Throws DnsError, or BlockedError if any one address is not admitted: the next answer may be that one. */
  resolve(hostname: string): Promise<readonly string[]>;
}

/** Addresses of a host that are tried one after the other. */
const MAX_TRIED = 8;

export function createResolver(policy: AddressPolicy, lookup: Lookup = lookUp): Resolver {
  const check = (hostname: string, address: string): void => {
    const why = policy === "any" ? undefined : whyNotPublic(address);
    if (why === undefined) return;
    throw new BlockedError(hostname === address ? `${address}: ${why}` : `${hostname} is ${address}: ${why}`);
  };
  return {
    checkLiteral(hostname) {
      const bare = withoutBrackets(hostname);
      if (isIP(bare) !== 0) check(bare, bare);
    },
    async resolve(hostname) {
      const bare = withoutBrackets(hostname);
      const addresses = isIP(bare) === 0 ? await ask(lookup, bare) : [bare];
      for (const address of addresses) check(bare, address);
      return addresses.slice(0, MAX_TRIED);
    },
  };
}

function withoutBrackets(hostname: string): string {
  return hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
}

async function ask(lookup: Lookup, hostname: string): Promise<readonly string[]> {
  let addresses: readonly string[];
  try {
    addresses = await lookup(hostname);
  } catch (error) {
    throw new DnsError(codeOf(error) ?? "ENOTFOUND", error instanceof Error ? error.message : hostname);
  }
  if (addresses.length === 0) throw new DnsError("ENODATA", `${hostname} has no address`);
  const odd = addresses.find((address) => isIP(address) === 0);
  if (odd !== undefined) throw new DnsError("EBADRESP", `${hostname} resolves to what is no address`);
  return addresses;
}

/** As the system does it: its hosts file and its name servers. */
async function lookUp(hostname: string): Promise<readonly string[]> {
  const found = await dns.lookup(hostname, { all: true, verbatim: true });
  return found.map(({ address }) => address);
}

/** Resolves a host name and checks all of its addresses, so that a public URL cannot reach a private network. */
import { promises as dns } from "node:dns";
import { BlockList, isIP, isIPv6 } from "node:net";
import { codeOf } from "../../thrown.js";

/** Returns the addresses of a name. Rejects, or returns an empty list, if it has no address. */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

/** "any" also admits private addresses, for example those of the caller's own servers. */
export type AddressPolicy = "public" | "any";

/** The host name could not be resolved. */
export class DnsError extends Error {
  override readonly name = "DnsError";
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** The host has an address that is not admitted: it is private, local or reserved. */
export class BlockedError extends Error {
  override readonly name = "BlockedError";
  readonly code = "BLOCKED_ADDRESS";
}

/** Resolves each name once, and checks every address that it resolves to. */
export interface Resolver {
  /**
   * Checks a URL's hostname, which may be an IPv6 address in brackets. Throws BlockedError if it is an address that is
   * not admitted; does nothing for a name.
   */
  checkLiteral(hostname: string): void;
  /**
   * Returns at most 8 addresses. Throws DnsError, or BlockedError if any address is not admitted, because the next DNS
   * answer might contain only that one.
   */
  resolve(hostname: string): Promise<readonly string[]>;
}

/** Addresses of a host that are tried one after another. */
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

/** Removes the brackets that an IPv6 address has in a URL. */
export function withoutBrackets(hostname: string): string {
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
  if (odd !== undefined)
    throw new DnsError("EBADRESP", `${hostname} resolves to something that is not an IP address`);
  return addresses;
}

/** Asks the operating system: its hosts file and its name servers. */
async function lookUp(hostname: string): Promise<readonly string[]> {
  const found = await dns.lookup(hostname, { all: true, verbatim: true });
  return found.map(({ address }) => address);
}

interface Rule {
  readonly name: string;
  readonly has: (address: string) => boolean;
}

/**
 * Blocks without public servers, from the IANA special-purpose registry for IPv4 (RFC 6890 and its updates). The few
 * anycast services within these blocks serve no pages either.
 */
const V4: readonly (readonly [block: string, name: string])[] = [
  ["0.0.0.0/8", "this network"],
  ["10.0.0.0/8", "private"],
  ["100.64.0.0/10", "shared by a carrier's customers"],
  ["127.0.0.0/8", "loopback"],
  ["169.254.0.0/16", "link-local"],
  ["172.16.0.0/12", "private"],
  ["192.0.0.0/24", "protocol assignments"],
  ["192.0.2.0/24", "documentation"],
  ["192.88.99.0/24", "6to4 relays"],
  ["192.168.0.0/16", "private"],
  ["198.18.0.0/15", "benchmarking"],
  ["198.51.100.0/24", "documentation"],
  ["203.0.113.0/24", "documentation"],
  ["224.0.0.0/4", "multicast"],
  ["255.255.255.255/32", "broadcast"],
  ["240.0.0.0/4", "reserved"],
  // It looks public, but answers only Azure's own machines.
  ["168.63.129.16/32", "cloud metadata"],
];

/**
 * The same for IPv6, to say what kind of address it is. All addresses outside of 2000::/3 are refused, listed or not.
 */
const V6: readonly (readonly [block: string, name: string])[] = [
  ["::/128", "unspecified"],
  ["::1/128", "loopback"],
  ["::/96", "IPv4-compatible"],
  ["64:ff9b:1::/48", "local translation"],
  ["100::/64", "discarded"],
  ["2001::/32", "Teredo"],
  ["2001:db8::/32", "documentation"],
  ["2001::/23", "protocol assignments"],
  ["2002::/16", "6to4"],
  ["3fff::/20", "documentation"],
  ["fc00::/7", "private"],
  ["fe80::/10", "link-local"],
  ["fec0::/10", "site-local"],
  ["ff00::/8", "multicast"],
];

/** The block to which NAT64 maps IPv4 for machines that have only IPv6 (RFC 6052): as public as the IPv4 address. */
const NAT64 = "64:ff9b::";
const NAT64_BITS = 96;

const RULES_V4 = V4.map(([block, name]) => toRule(block, name, "ipv4"));
const RULES_V6 = V6.map(([block, name]) => toRule(block, name, "ipv6"));
const RULES_NAT64 = V4.map(([block, name]) => {
  const [start = "", bits = ""] = block.split("/");
  return toRule(`${NAT64}${start}/${NAT64_BITS + Number(bits)}`, `${name}, translated`, "ipv6");
});
const TRANSLATED = toRule(`${NAT64}/${NAT64_BITS}`, "", "ipv6");
const GLOBAL = toRule("2000::/3", "", "ipv6");

function toRule(block: string, name: string, family: "ipv4" | "ipv6"): Rule {
  return { name, has: toBlockTest(block, family) };
}

/** Tests for addresses in one block, such as 10.0.0.0/8. Throws TypeError or RangeError if it is not a block. */
export function toBlockTest(block: string, family: "ipv4" | "ipv6"): (address: string) => boolean {
  const [start = "", bits = ""] = block.split("/");
  const list = new BlockList();
  list.addSubnet(start, Number(bits), family);
  return (address) => list.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}

/** Returns the kind of an address that is not public, such as "loopback"; undefined if it is public. */
export function whyNotPublic(address: string): string | undefined {
  // BlockList finds an invalid address in no list, so that is checked first.
  const family = isIP(address);
  if (family === 0) return "not an IP address";
  if (family === 4) return find(RULES_V4, address);
  if (address.includes("%")) return "local to one interface";
  if (isMapped(address)) return "IPv4-mapped";
  if (TRANSLATED.has(address)) return find(RULES_NAT64, address);
  return find(RULES_V6, address) ?? (GLOBAL.has(address) ? undefined : "not global unicast");
}

function find(rules: readonly Rule[], address: string): string | undefined {
  return rules.find(({ has }) => has(address))?.name;
}

/** Matches IPv4-mapped addresses, because BlockList treats them as the IPv4 address that they contain. */
const ANY_V4 = toRule("0.0.0.0/0", "", "ipv4");

function isMapped(address: string): boolean {
  return ANY_V4.has(address);
}

/** An address into whether anybody's server may stand there, or what it is instead. */
import { BlockList, isIP } from "node:net";

interface Rule {
  readonly name: string;
  readonly list: BlockList;
}

/**
 * What is no public server, by the IANA special-purpose registry for IPv4 (RFC 6890 and its updates). The few anycast
 * services within these blocks serve no pages either.
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
  // It looks public, and answers within Azure's machines alone.
  ["168.63.129.16/32", "metadata of a cloud"],
];

/** The same for IPv6, to say what it is; whatever lies outside of 2000::/3 is refused without being listed. */
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

/** Where a translator shows IPv4 to machines that have IPv6 alone (RFC 6052): as public as what it translates. */
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
  const [start = "", bits = ""] = block.split("/");
  const list = new BlockList();
  list.addSubnet(start, Number(bits), family);
  return { name, list };
}

/** What an address is instead of a public one: "loopback"; undefined where it is public. */
export function whyNotPublic(address: string): string | undefined {
  // BlockList finds what is no address in no list at all, hence the questions before it.
  const family = isIP(address);
  if (family === 0) return "no address";
  if (family === 4) return find(RULES_V4, address, "ipv4");
  if (address.includes("%")) return "of one interface";
  if (isMapped(address)) return "IPv4-mapped";
  if (TRANSLATED.list.check(address, "ipv6")) return find(RULES_NAT64, address, "ipv6");
  return (
    find(RULES_V6, address, "ipv6") ?? (GLOBAL.list.check(address, "ipv6") ? undefined : "not global unicast")
  );
}

function find(rules: readonly Rule[], address: string, family: "ipv4" | "ipv6"): string | undefined {
  return rules.find(({ list }) => list.check(address, family))?.name;
}

/** BlockList takes such an address for the IPv4 one in it, and so matches it with every list of that. */
const ANY_V4 = toRule("0.0.0.0/0", "", "ipv4");

function isMapped(address: string): boolean {
  return ANY_V4.list.check(address, "ipv6");
}

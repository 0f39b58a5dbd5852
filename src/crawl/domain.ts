/** A host name into the domain that somebody registered, by the public suffix list; the one door of tldts. */
import { getDomain } from "tldts";

/**
 * "example.co.uk" for "www.example.co.uk". Suffixes under which anybody gets a name (github.io) count as public. What
 * has no such domain stands for itself: addresses, "localhost", a suffix alone.
 */
export function registeredDomain(hostname: string): string {
  return getDomain(hostname, { allowPrivateDomains: true, extractHostname: false }) ?? hostname;
}

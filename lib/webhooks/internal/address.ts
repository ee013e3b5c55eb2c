import type { SocketAddress } from "node:net";
import { isV4, parseAddress, toBlockList } from "#lib/base/ip-address.ts";

/** Which addresses notifications may reach in addition to public ones. */
export interface AddressPolicy {
  /** Loopback addresses, for programs under development; in sandbox only. */
  loopback: boolean;
  /** Every address; only for a URL that we made ourselves, see `toPolicyFor`. */
  anyAddress?: boolean | undefined;
}

/** Special-purpose blocks (RFC 6890 and its successors), which never hold a public server. */
const REFUSED_V4 = toBlockList([
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
]);

/** In IPv6 only the global unicast block counts as public, minus these blocks. */
const GLOBAL_V6 = toBlockList(["2000::/3"]);
const REFUSED_V6 = toBlockList(["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"]);

const LOOPBACK = toBlockList(["127.0.0.0/8", "::1/128"]);

/**
 * Whether a connection may be made to this address literal, in any spelling. Anything that is not a literal
 * is refused.
 */
export function mayConnectTo(address: string, policy: AddressPolicy): boolean {
  const parsed = parseAddress(address);
  if (!parsed) {
    return false;
  }
  const isAllowed = policy.anyAddress === true || (policy.loopback && LOOPBACK.check(parsed));
  return isAllowed || isPublic(parsed);
}

function isPublic(address: SocketAddress): boolean {
  return isV4(address)
    ? !REFUSED_V4.check(address)
    : GLOBAL_V6.check(address) && !REFUSED_V6.check(address);
}

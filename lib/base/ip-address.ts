import { BlockList, isIP, SocketAddress } from "node:net";

const IPV6_GROUPS = 8;
/** The groups of the smallest IPv6 network that one subscriber gets (RFC 6177). They can send from every address in it. */
const NETWORK_GROUPS = 4;

const MAPPED_V4 = toBlockList(["::ffff:0:0/96"]);

/**
 * The network that rate limits count by: an IPv4 address (including one written as IPv6), or the first 64 bits of an IPv6
 * address. A string that is not an address is its own network.
 */
export function toNetwork(address: string | null): string {
  const parsed = parseAddress(address ?? "");
  if (!parsed) {
    return address ?? "unknown";
  }
  return isV4(parsed) ? `v4 ${parsed.address.replace("::ffff:", "")}` : `v6 ${toPrefix(parsed)}`;
}

/** Stands for every client whose address a trusted proxy reported in a form that cannot be read: they are counted together. */
export const UNREADABLE_ADDRESS = "unreadable";

/** The address that a proxy reported, without its port if it has one (`203.0.113.7:51234`, `[2001:db8::1]:443`). */
export function toReportedAddress(text: string): string {
  return isIP(text) === 0 ? (SocketAddress.parse(text)?.address ?? UNREADABLE_ADDRESS) : text;
}

/** Addresses in CIDR notation. An IPv4 block also contains its addresses written as IPv6. */
export function toBlockList(blocks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const block of blocks) {
    const [address = "", prefix] = block.split("/");
    list.addSubnet(address, Number(prefix), isIP(address) === 4 ? "ipv4" : "ipv6");
  }
  return list;
}

/** Parses an address literal in any spelling, without its zone; undefined for any other string. */
export function parseAddress(text: string): SocketAddress | undefined {
  const family = isIP(text);
  const [address = ""] = text.split("%");
  return family === 0
    ? undefined
    : new SocketAddress({ address, family: family === 4 ? "ipv4" : "ipv6" });
}

/** Whether it is an IPv4 address, in either notation. */
export function isV4(address: SocketAddress): boolean {
  return address.family === "ipv4" || MAPPED_V4.check(address);
}

/**
 * The first groups of an IPv6 address. `SocketAddress` gives its canonical form, in which `::` replaces the omitted
 * groups.
 */
function toPrefix({ address }: SocketAddress): string {
  const [head = [], tail] = address.split("::").map((part) => part.split(":").filter(Boolean));
  const missing = tail ? IPV6_GROUPS - head.length - tail.length : 0;
  const zeros = Array.from({ length: missing }, () => "0");
  return [...head, ...zeros, ...(tail ?? [])].slice(0, NETWORK_GROUPS).join(":");
}

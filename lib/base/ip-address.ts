import { isIPv4, isIPv6 } from "node:net";

/** An IPv4 or IPv6 address as a number. */
export interface Address {
  bits: 32 | 128;
  value: bigint;
}

/** All addresses that share their first `prefix` bits. */
export interface Block extends Address {
  prefix: number;
}

const MAPPED_V4 = toBlock("::ffff:0:0/96");
/** The smallest IPv6 prefix one subscriber gets (RFC 6177). They can send from every address in it. */
const NETWORK_V6_BITS = 64n;

/**
 * The network that rate limits count by: an IPv4 address (including one written as IPv6), or the first 64 bits of an IPv6
 * address. A string that is not an address is its own network.
 */
export function toNetwork(address: string | null): string {
  const parsed = parseAddress(address ?? "");
  if (!parsed) {
    return address ?? "unknown";
  }
  return parsed.bits === 32
    ? `v4 ${parsed.value.toString(16)}`
    : `v6 ${(parsed.value >> (128n - NETWORK_V6_BITS)).toString(16)}`;
}

/** Whether an address lies in a block of its own family. */
export function isIn(address: Address, block: Block): boolean {
  const shift = BigInt(block.bits - block.prefix);
  return address.bits === block.bits && address.value >> shift === block.value >> shift;
}

/** Parses a block in CIDR notation. */
export function toBlock(text: string): Block {
  const [address = "", prefix] = text.split("/");
  const parsed = isIPv4(address) ? parseV4(address) : parseV6(address);
  return { ...parsed, prefix: Number(prefix) };
}

/** Parses an address literal in any spelling; undefined for any other string. An IPv4-mapped IPv6 address becomes IPv4. */
export function parseAddress(text: string): Address | undefined {
  if (isIPv4(text)) {
    return parseV4(text);
  }
  if (!isIPv6(text)) {
    return undefined;
  }
  const parsed = parseV6(text);
  return isIn(parsed, MAPPED_V4) ? { bits: 32, value: parsed.value & 0xff_ff_ff_ffn } : parsed;
}

function parseV4(text: string): Address {
  const value = text.split(".").reduce((sum, octet) => (sum << 8n) | BigInt(octet), 0n);
  return { bits: 32, value };
}

function parseV6(text: string): Address {
  const [withoutZone = ""] = text.split("%");
  const [head = "", tail] = toHexGroups(withoutZone).split("::");
  const left = toGroups(head);
  const right = toGroups(tail ?? "");
  const zeros =
    tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => 0n);
  const value = [...left, ...zeros, ...right].reduce((sum, group) => (sum << 16n) | group, 0n);
  return { bits: 128, value };
}

/** The last 32 bits may be written as IPv4. */
function toHexGroups(text: string): string {
  const dotted = /(?<=:)[0-9.]+$/u.exec(text)?.[0];
  if (!dotted?.includes(".")) {
    return text;
  }
  const { value } = parseV4(dotted);
  const groups = `${(value >> 16n).toString(16)}:${(value & 0xff_ffn).toString(16)}`;
  return text.slice(0, -dotted.length) + groups;
}

function toGroups(text: string): bigint[] {
  return text === "" ? [] : text.split(":").map((group) => BigInt(`0x${group}`));
}

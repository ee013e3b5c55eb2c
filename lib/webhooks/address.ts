import { isIPv4, isIPv6 } from "node:net";

/** What notifications may reach besides public addresses. */
export interface AddressPolicy {
  /** This machine itself; for programs under development, in sandbox only. */
  loopback: boolean;
}

/** Special-purpose blocks (RFC 6890 and its successors) that are nobody's public server. */
const REFUSED_V4 = [
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
].map(toBlock);

/** Of IPv6 only the global unicast block counts as public, and of that not these. */
const GLOBAL_V6 = toBlock("2000::/3");
const REFUSED_V6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"].map(toBlock);

const LOOPBACK_V4 = toBlock("127.0.0.0/8");
const LOOPBACK_V6 = toBlock("::1/128");
const MAPPED_V4 = toBlock("::ffff:0:0/96");

/** Whether a connection may be made to this address, given in any spelling of a literal. What is no literal may not. */
export function mayConnectTo(address: string, policy: AddressPolicy): boolean {
  const parsed = parse(address);
  if (!parsed) {
    return false;
  }
  const isLoopback = isIn(parsed, LOOPBACK_V4) || isIn(parsed, LOOPBACK_V6);
  return (policy.loopback && isLoopback) || isPublic(parsed);
}

interface Address {
  bits: 32 | 128;
  value: bigint;
}

interface Block extends Address {
  prefix: number;
}

function isPublic(address: Address): boolean {
  return address.bits === 32
    ? !REFUSED_V4.some((block) => isIn(address, block))
    : isIn(address, GLOBAL_V6) && !REFUSED_V6.some((block) => isIn(address, block));
}

function isIn(address: Address, block: Block): boolean {
  const shift = BigInt(block.bits - block.prefix);
  return address.bits === block.bits && address.value >> shift === block.value >> shift;
}

function toBlock(text: string): Block {
  const [address = "", prefix] = text.split("/");
  const parsed = isIPv4(address) ? parseV4(address) : parseV6(address);
  return { ...parsed, prefix: Number(prefix) };
}

/** An IPv4 address written as IPv6 is that IPv4 address. */
function parse(text: string): Address | undefined {
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

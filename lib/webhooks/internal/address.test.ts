import { describe, expect, test } from "vitest";
import { mayConnectTo } from "#lib/webhooks/internal/address.ts";

const PUBLIC_ONLY = { loopback: false };

/** Each refused block by its first and last address, and the addresses just outside it. */
const REFUSED = [
  ["0.0.0.0", "0.255.255.255"],
  ["10.0.0.0", "10.255.255.255"],
  ["100.64.0.0", "100.127.255.255"],
  ["127.0.0.0", "127.255.255.255"],
  ["169.254.0.0", "169.254.169.254"],
  ["172.16.0.0", "172.31.255.255"],
  ["192.0.0.0", "192.0.0.255"],
  ["192.0.2.0", "192.0.2.255"],
  ["192.88.99.0", "192.88.99.255"],
  ["192.168.0.0", "192.168.255.255"],
  ["198.18.0.0", "198.19.255.255"],
  ["198.51.100.0", "198.51.100.255"],
  ["203.0.113.0", "203.0.113.255"],
  ["224.0.0.0", "239.255.255.255"],
  ["240.0.0.0", "255.255.255.255"],
  ["::", "::1"],
  ["64:ff9b::7f00:1", "64:ff9b:1::1"],
  ["100::", "1fff:ffff::"],
  ["2001::1", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["2002:7f00:1::", "2002:ffff::"],
  ["3fff::", "3fff:fff:ffff::"],
  ["4000::", "fc00::1"],
  ["fe80::1", "fe80::1%lo"],
  ["ff02::1", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["::ffff:127.0.0.1", "::ffff:7f00:1"],
  ["::ffff:10.1.2.3", "0:0:0:0:0:ffff:a9fe:a9fe"],
  ["::127.0.0.1", "::7f00:1"],
].flat();

const PUBLIC = [
  "1.1.1.1",
  "9.255.255.255",
  "11.0.0.0",
  "100.63.255.255",
  "100.128.0.0",
  "126.255.255.255",
  "128.0.0.0",
  "169.253.255.255",
  "172.15.255.255",
  "172.32.0.0",
  "192.0.1.0",
  "192.0.3.0",
  "192.88.98.255",
  "192.167.255.255",
  "198.17.255.255",
  "198.20.0.0",
  "223.255.255.255",
  "2001:200::",
  "2001:4860:4860::8888",
  "2003::1",
  "2606:4700:4700::1111",
  "3fff:1000::",
  "::ffff:1.1.1.1",
  "::ffff:101:101",
];

describe("an address", () => {
  test.each(REFUSED)("%s is not public", (address) => {
    expect(mayConnectTo(address, PUBLIC_ONLY)).toBe(false);
  });

  test.each(PUBLIC)("%s is public", (address) => {
    expect(mayConnectTo(address, PUBLIC_ONLY)).toBe(true);
  });

  test.each([
    "",
    "localhost",
    "0x7f.1",
    "127.1",
    "2130706433",
    "017700000001",
    "1.1.1.1 ",
    "1.1.1",
    "[::1]",
  ])("%j is not an address", (address) => {
    expect(mayConnectTo(address, { loopback: true })).toBe(false);
  });

  test("on this machine may be reached where that is allowed, and nothing else is added", () => {
    const reached = [...REFUSED, ...PUBLIC].filter(
      (address) => mayConnectTo(address, { loopback: true }) && !mayConnectTo(address, PUBLIC_ONLY),
    );
    expect(reached).toEqual([
      "127.0.0.0",
      "127.255.255.255",
      "::1",
      "::ffff:127.0.0.1",
      "::ffff:7f00:1",
    ]);
  });
});

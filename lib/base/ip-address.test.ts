import { expect, test } from "vitest";
import { toNetwork, toReportedAddress, UNREADABLE_ADDRESS } from "#lib/base/ip-address.ts";

test.each([
  ["203.0.113.7", "::ffff:203.0.113.7"],
  ["203.0.113.7", "::ffff:cb00:7107"],
  ["203.0.113.7", "0:0:0:0:0:FFFF:CB00:7107"],
  ["2001:db8:1:2::1", "2001:0DB8:1:2:ffff:ffff:ffff:ffff"],
  ["2001:db8::1", "2001:db8:0:0:1:2:3:4"],
  ["fe80::1", "fe80::2%eth0"],
  ["::1", "::2"],
])("%s and %s are the same network", (one, other) => {
  expect(toNetwork(one)).toBe(toNetwork(other));
});

test.each([
  ["203.0.113.7", "203.0.113.8"],
  ["2001:db8:1:2::1", "2001:db8:1:3::1"],
  ["::ffff:203.0.113.7", "::ffff:203.0.113.8"],
  ["::203.0.113.7", "203.0.113.7"],
  ["unknown", "203.0.113.7"],
])("%s and %s are different networks", (one, other) => {
  expect(toNetwork(one)).not.toBe(toNetwork(other));
});

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["203.0.113.7:51234", "203.0.113.7"],
  ["2001:db8::1", "2001:db8::1"],
  ["fe80::1%eth0", "fe80::1%eth0"],
  ["[2001:db8::1]:443", "2001:db8::1"],
  ["[2001:db8::1]", "2001:db8::1"],
])("a proxy that reports %s means %s", (reported, address) => {
  expect(toReportedAddress(reported)).toBe(address);
});

test.each(["unknown", "_hidden", "client.example:443", "203.0.113.7:70000", "[fe80::1%eth0]:1"])(
  "%s is an address that cannot be read",
  (reported) => {
    expect(toReportedAddress(reported)).toBe(UNREADABLE_ADDRESS);
  },
);

import { z } from "zod";

/** Settings that list several values, separated by commas. */

/** Names of hosts as in a URL, with brackets around IPv6 addresses. */
export const hostsSchema = z
  .string()
  .transform((text) => text.split(",").map((name) => name.trim().toLowerCase()))
  .refine((names) => names.every((name) => isHostName(name)), {
    error: "must list host names separated by commas, without ports",
  })
  .default([]);

const addressSchema = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);
/** Addresses and blocks in CIDR notation. */
export const addressesSchema = z
  .string()
  .transform((text) => text.split(",").map((address) => address.trim()))
  .refine((addresses) => addresses.every((each) => addressSchema.safeParse(each).success), {
    error: "must list IP addresses or CIDR blocks separated by commas",
  });

function isHostName(name: string): boolean {
  return !name.includes("*") && URL.parse(`http://${name}`)?.hostname === name;
}

import { z } from "zod";
import { logSafe } from "#lib/base/log-safe.ts";

/** Members that many answers have. Amounts are in minor units. */
export const id = logSafe(z.uuid());
export const time = logSafe(z.iso.datetime());
export const money = logSafe(z.int());
export const currency = logSafe(z.string().length(3));
export const eventName = logSafe(z.string());
export const headers = z.record(z.string(), z.string());
export const networkAddress = z
  .string()
  .nullable()
  .describe("The IP address that the request came from; null if it is not known.");

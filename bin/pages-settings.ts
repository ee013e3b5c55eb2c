import { z } from "zod";

/**
 * The settings that the parent passes to the process that serves pages, in addition to the environment they
 * share.
 */
export const pagesSettingsSchema = z.object({
  /** Where it listens: in a directory that only this account can open. */
  socketPath: z.string(),
  databaseUrl: z.string(),
  mode: z.enum(["production", "dev"]),
});

export type PagesSettings = z.output<typeof pagesSettingsSchema>;

/** What the process answers once it listens, and to every ping: what it uses. */
export const pagesUsageSchema = z.object({
  memoryBytes: z.number(),
  /** Since it started. */
  cpuSeconds: z.number(),
});

export type PagesUsage = z.output<typeof pagesUsageSchema>;

/** What the parent says afterward. A process that does not answer a ping is hung. */
export const PING = "ping";
/** The API has become busy, or no longer is. At first it is not. */
export const BUSY = "busy";
export const QUIET = "quiet";

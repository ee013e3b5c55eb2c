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

/** The usage that the process reports once it listens, and in answer to every ping. */
export const pagesUsageSchema = z.object({
  memoryBytes: z.number(),
  /** Since it started. */
  cpuSeconds: z.number(),
});

export type PagesUsage = z.output<typeof pagesUsageSchema>;

/** Messages that the parent sends after the settings. A process that does not answer a ping is hung. */
export const PING = "ping";
/** Tell that the API has become busy, or no longer is. It starts as not busy. */
export const BUSY = "busy";
export const QUIET = "quiet";

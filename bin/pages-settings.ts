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

/** What the parent says afterward. A process that does not answer a ping is hung. */
export const PING = "ping";
/** The API has become busy, or no longer is. At first it is not. */
export const BUSY = "busy";
export const QUIET = "quiet";

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

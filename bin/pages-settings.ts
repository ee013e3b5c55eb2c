import { z } from "zod";

/** What the process that serves pages is told by the one that starts it; the environment it has in common with it. */
export const pagesSettingsSchema = z.object({
  /** Where it listens: in a directory that only this account can open. */
  socketPath: z.string(),
  databaseUrl: z.string(),
  mode: z.enum(["production", "dev"]),
});

export type PagesSettings = z.output<typeof pagesSettingsSchema>;

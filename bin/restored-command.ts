import { continueFeed } from "#db/feed-order.ts";
import { moment } from "#lib/api/contract/fields.ts";
import { readEnv } from "#lib/base/env.ts";
import { announceRestore, findNewestMoment } from "#lib/operator/announce-restore.ts";
import type { Command, Input, Result } from "./command.ts";
import { withDatabase, withInstallationAt } from "./installation.ts";
import type { Environment } from "./installation.ts";
import { withClient } from "./own-database.ts";

/** The command that ends a restore, before any server writes. */
export const RESTORED: Command = {
  words: ["restored"],
  summary:
    "After a restore, and before any server starts: let cursors from after the backup go on, and tell every integrator",
  options: {
    to: {
      about:
        "the moment that was restored, such as 2026-01-31T12:00:00Z; by default that of the newest event",
      fallback: "",
    },
  },
  run: finish,
};

async function finish(environment: Environment, { options }: Input): Promise<Result> {
  const settings = readEnv(environment);
  return withDatabase(settings, (database) =>
    withInstallationAt(database, settings, async ({ db }) => {
      const to = toMoment(options["to"] ?? "") ?? (await findNewestMoment(db));
      if (!to) {
        throw new Error("This database has no events: it is not the one that you restored.");
      }
      await withClient(database.ownerUrl, continueFeed);
      const integrators = await announceRestore(db, to);
      return {
        text: `The order of events continues past everything that was lost. ${integrators} ${integrators === 1 ? "integrator is" : "integrators are"} told that ${to.toISOString()} was restored. Start the servers now.`,
        json: { restored_to: to, integrators },
      };
    }),
  );
}

/** @throws Error when the text is no moment of the past. */
function toMoment(text: string): Date | null {
  if (text === "") {
    return null;
  }
  const { data } = moment.safeParse(text);
  if (!data || data > new Date()) {
    throw new Error("--to must be a moment of the past, such as 2026-01-31T12:00:00Z.");
  }
  return data;
}

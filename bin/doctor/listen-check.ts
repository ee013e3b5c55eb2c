import { sql } from "drizzle-orm";
import { setTimeout as sleep } from "node:timers/promises";
import { listen } from "#db/listener.ts";
import { requireListenUrl } from "../own-database.ts";
import type { DatabaseAccess } from "./database-access.ts";
import { ok, problem, toSentence, warning } from "./finding.ts";
import type { Finding } from "./finding.ts";
import { timeLimit } from "#db/time-limits.ts";

/** No server listens to it. */
const CHANNEL = "floatdeck_doctor";

/** Checks that servers hear of changed API keys and settings at once. */
export async function checkListen(access: DatabaseAccess): Promise<Finding> {
  try {
    await requireListenUrl(access.settings);
  } catch (error) {
    const detail = `Servers cannot listen: ${toSentence(error)}`;
    return problem(
      detail,
      "Set DATABASE_LISTEN_URL to PostgreSQL itself. Until then, no server starts.",
    );
  }
  return (await hears(access))
    ? ok("Notifications arrive: changed API keys and settings apply on all servers at once.")
    : warning(
        "A notification did not arrive within two seconds: on other servers, changed API keys and settings apply within five seconds.",
        "Point DATABASE_LISTEN_URL at PostgreSQL itself.",
      );
}

/** Sends a notification, and waits for it where a server would. */
async function hears({ db, settings, url }: DatabaseAccess): Promise<boolean> {
  const { promise: heard, resolve } = Promise.withResolvers<boolean>();
  const listener = listen(settings.databaseListenUrl ?? url, CHANNEL, {
    onMessage: () => resolve(true),
    onConnected: () => {
      db.execute(sql`select pg_notify(${CHANNEL}, '')`).catch(() => resolve(false));
    },
    onLost: () => resolve(false),
  });
  const answer = await Promise.race([heard, sleep(timeLimit("doctorNotification"), false)]);
  await listener.stop();
  return answer;
}

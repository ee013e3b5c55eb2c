import { desc, sql } from "drizzle-orm";
import { UNREADABLE_ADDRESS } from "#lib/base/ip-address.ts";
import { apiLog } from "#db/schema/events.ts";
import type { DatabaseAccess } from "./database-access.ts";
import { ok, warning } from "./finding.ts";
import type { Finding } from "./finding.ts";
import { withInstallation } from "./installation-checks.ts";

const NEWEST = 1_000;

/** Checks that servers could read the client addresses of the API log's newest requests, if from the last day. */
export async function checkAddresses({ db }: DatabaseAccess): Promise<Finding> {
  return withInstallation(db, async () => {
    const newest = db
      .select({ address: apiLog.address, createdAt: apiLog.createdAt })
      .from(apiLog)
      .orderBy(desc(apiLog.id))
      .limit(NEWEST)
      .as("newest");
    const [row] = await db
      .select({ requests: sql<number>`count(*)::int` })
      .from(newest)
      .where(
        sql`${newest.address} = ${UNREADABLE_ADDRESS} and ${newest.createdAt} > statement_timestamp() - interval '1 day'`,
      );
    return judge(row?.requests ?? 0);
  });
}

function judge(requests: number): Finding {
  return requests === 0
    ? ok("Servers can read the addresses of their clients.")
    : warning(
        `${requests} of the newest ${NEWEST} requests came without a readable address in X-Forwarded-For: their clients share the limits by address.`,
        "Let the proxy write the client's IP address there, with or without a port. The server's log has an example.",
      );
}

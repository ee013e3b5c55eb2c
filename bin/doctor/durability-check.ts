import { sql } from "drizzle-orm";
import type { DatabaseAccess } from "./database-access.ts";
import { ok, problem, warning } from "./finding.ts";
import type { Finding } from "./finding.ts";

/** The settings of PostgreSQL that decide what survives a crash, as they apply to the server's role: `on`, `off`, … */
export type Durability = Readonly<
  Record<"fsync" | "full_page_writes" | "synchronous_commit", string>
>;

/** Checks that what PostgreSQL acknowledges survives a crash. */
export async function checkDurability({ db, settings }: DatabaseAccess): Promise<Finding> {
  const [row] = await db.execute<Durability>(sql`
    select current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes,
      current_setting('synchronous_commit') as synchronous_commit`);
  if (!row) {
    throw new Error("The database has no settings.");
  }
  return judgeDurability(row, settings.environment);
}

/** Unsafe settings are acceptable in a sandbox, whose data may be lost. */
export function judgeDurability(settings: Durability, environment: "sandbox" | "live"): Finding {
  const unsafe = (["fsync", "full_page_writes"] as const).filter(
    (name) => settings[name] === "off",
  );
  if (unsafe.length > 0) {
    const detail = `PostgreSQL runs with ${unsafe.map((name) => `${name} = off`).join(" and ")}: if its machine crashes, acknowledged changes are lost, or the database is damaged.`;
    return environment === "live"
      ? problem(detail, `Set ${unsafe.join(" and ")} to on in postgresql.conf, and reload it.`)
      : ok(`${detail} A sandbox may take that risk.`);
  }
  if (settings.synchronous_commit === "off") {
    return warning(
      "The server's role runs with synchronous_commit = off. Floatdeck turns it on for its own changes.",
      "Reset it, so that everything else that uses the role is safe too.",
    );
  }
  return ok("What PostgreSQL acknowledges survives a crash.");
}

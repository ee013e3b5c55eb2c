import { readFileSync } from "node:fs";
import path from "node:path";
import postgres from "postgres";

/** Longer than the server waits for a read. */
const SLOW_S = 60;

/** No read of an integrator's rows in a table of the server under test ends while `work` runs. Other integrators notice nothing. */
export async function whileSlow(
  table: string,
  integratorId: string,
  work: () => Promise<void>,
): Promise<void> {
  const owner = postgres(readOwnerUrl(), { max: 1, onnotice: () => undefined });
  const isOthers = `integrator_id <> '${integratorId}' or pg_sleep(${SLOW_S})::text <> ''`;
  try {
    await owner.unsafe(`create policy slow on ${table} using (${isOthers})`);
    await owner.unsafe(`alter table ${table} enable row level security`);
    await work();
  } finally {
    await owner.unsafe(`alter table ${table} disable row level security`);
    await owner.unsafe(`drop policy if exists slow on ${table}`);
    await owner.end();
  }
}

function readOwnerUrl(): string {
  const dataDir = process.env["E2E_DATA_DIR"] ?? "";
  const { ownerPassword }: { ownerPassword: string } = JSON.parse(
    readFileSync(path.join(dataDir, "database.json"), "utf8"),
  );
  const [, , , port] = readFileSync(path.join(dataDir, "postgres/postmaster.pid"), "utf8").split(
    "\n",
  );
  return `postgres://floatdeck_owner:${ownerPassword}@127.0.0.1:${port}/floatdeck`;
}

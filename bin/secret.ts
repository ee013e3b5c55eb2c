import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Env } from "#lib/base/env.ts";

/**
 * Where the environment gives no secret, the data directory holds a secret, generated at the first start and shared by
 * every command there.
 */
export function setSecret({ dataDir, secrets }: Pick<Env, "dataDir" | "secrets">): void {
  if (secrets.length > 0) {
    return;
  }
  const file = path.join(dataDir, "secret");
  if (!existsSync(file)) {
    writeFileSync(file, randomBytes(32).toString("hex"), { mode: 0o600 });
  }
  process.env["FLOATDECK_SECRET"] = readFileSync(file, "utf8").trim();
}

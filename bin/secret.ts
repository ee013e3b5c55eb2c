import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

/**
 * Without `FLOATDECK_SECRET`, the data directory holds a secret, generated at the first start and shared by
 * every command there.
 */
export function setSecret(dataDir: string): void {
  if (process.env["FLOATDECK_SECRET"]) {
    return;
  }
  const file = path.join(dataDir, "secret");
  if (!existsSync(file)) {
    writeFileSync(file, randomBytes(32).toString("hex"), { mode: 0o600 });
  }
  process.env["FLOATDECK_SECRET"] = readFileSync(file, "utf8").trim();
}

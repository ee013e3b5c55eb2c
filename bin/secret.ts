import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Without `FLOATDECK_SECRET` the data directory has one, made at the first start, which every command there shares. */
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

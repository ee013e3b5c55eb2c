import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import postgres from "postgres";
import type { TestProject } from "vitest/node";
import { startEmbedded } from "../embedded.ts";
import { migrate } from "../migrate.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The server's maintenance database, as its owner. */
    adminUrl: string;
    /** Name of the migrated database that each file gets a copy of. */
    template: string;
    appRole: { name: string; password: string };
  }
}

/**
 * Provides one real PostgreSQL for a project of the run: an embedded one, or the one at TEST_DATABASE_URL, whose role
 * must be allowed to create databases and roles. Commits do not wait for the disk; the fault suite covers crashes.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const external = process.env["TEST_DATABASE_URL"];
  const dir = mkdtempSync(path.join(tmpdir(), "floatdeck-test-"));
  chmodSync(dir, 0o755);
  const embedded = external
    ? undefined
    : await startEmbedded(dir, ["fsync=off", "full_page_writes=off"]);
  const adminUrl = toDatabase(embedded?.ownerUrl ?? external ?? "", "postgres");
  const appRole = embedded?.appRole ?? { name: "floatdeck", password: "floatdeck" };
  const template = `floatdeck_template_${project.name}`;
  const admin = postgres(adminUrl, { max: 1, onnotice: () => undefined });
  await admin.unsafe(`drop database if exists ${template}`);
  await admin.unsafe(`create database ${template}`);
  await migrate(toDatabase(adminUrl, template), appRole);
  await admin.end();
  project.provide("adminUrl", adminUrl);
  project.provide("template", template);
  project.provide("appRole", appRole);
  return async () => {
    await embedded?.stop();
    rmSync(dir, { recursive: true, force: true });
  };
}

function toDatabase(url: string, name: string): string {
  const parsed = new URL(url);
  parsed.pathname = `/${name}`;
  return parsed.href;
}

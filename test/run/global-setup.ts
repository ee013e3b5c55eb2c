import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import postgres from "postgres";
import type { TestProject } from "vitest/node";
import { startEmbedded } from "#db/embedded.ts";
import { migrate } from "#db/migrate.ts";
import { findPgBouncer, setRoleLimits, startPgBouncer } from "#test/database/pgbouncer.ts";
import type { RunningPgBouncer } from "#test/database/pgbouncer.ts";

interface AppRole {
  name: string;
  password: string;
}

declare module "vitest" {
  export interface ProvidedContext {
    /** The server's maintenance database, as its owner. */
    adminUrl: string;
    /** The port at which files connect as the server does: PostgreSQL's, or that of a PgBouncer in front of it. */
    appPort: string;
    /** The folder of the Unix socket through which files connect at less cost; empty where none leads there. */
    socket: string;
    /** Name of the migrated database that each file gets a copy of. */
    template: string;
    appRole: AppRole;
  }
}

/**
 * Provides one real PostgreSQL for a project of the run: an embedded one, or the one at TEST_DATABASE_URL, whose role
 * must be allowed to create databases and roles. Commits do not wait for the disk; the fault suite covers crashes. With
 * TEST_PGBOUNCER=on, what connects as the server does goes through PgBouncer in transaction mode.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const server = await startServer();
  try {
    return await provide(project, server);
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** @returns what ends all that it has started, the server included. */
async function provide(project: TestProject, server: Server): Promise<() => Promise<void>> {
  const { adminUrl, appRole } = server;
  const template = `floatdeck_template_${project.name}`;
  await createTemplate(template, adminUrl, appRole);
  const pgbouncer =
    process.env["TEST_PGBOUNCER"] === "on" ? await pool(adminUrl, appRole) : undefined;
  project.provide("adminUrl", adminUrl);
  project.provide("appPort", String(pgbouncer?.port ?? new URL(adminUrl).port));
  project.provide("socket", pgbouncer ? "" : server.socket);
  project.provide("template", template);
  project.provide("appRole", appRole);
  return async () => {
    await pgbouncer?.stop();
    await server.stop();
  };
}

interface Server {
  adminUrl: string;
  appRole: AppRole;
  /** The folder of its Unix socket; empty where it has none. */
  socket: string;
  stop: () => Promise<void>;
}

async function startServer(): Promise<Server> {
  const external = process.env["TEST_DATABASE_URL"];
  if (external) {
    return {
      adminUrl: toDatabase(external, "postgres"),
      appRole: { name: "floatdeck", password: "floatdeck" },
      socket: "",
      stop: () => Promise.resolve(),
    };
  }
  const dir = mkdtempSync(path.join(tmpdir(), "floatdeck-test-"));
  chmodSync(dir, 0o755);
  const embedded = await startEmbedded(dir, ["fsync=off", "full_page_writes=off"]);
  return {
    adminUrl: toDatabase(embedded.ownerUrl, "postgres"),
    appRole: embedded.appRole,
    socket: new URL(embedded.localUrl).searchParams.get("host") ?? "",
    stop: async () => {
      await embedded.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function createTemplate(name: string, adminUrl: string, appRole: AppRole): Promise<void> {
  const admin = postgres(adminUrl, { max: 1, onnotice: () => undefined });
  await admin.unsafe(`drop database if exists ${name}`);
  await admin.unsafe(`create database ${name}`);
  await admin.end();
  await migrate(toDatabase(adminUrl, name), appRole);
}

async function pool(adminUrl: string, appRole: AppRole): Promise<RunningPgBouncer> {
  const found = findPgBouncer();
  if (!found?.keepsStatements) {
    throw new Error("TEST_PGBOUNCER takes PgBouncer 1.21 or newer; PGBOUNCER may name its path.");
  }
  const appUrl = toAppUrl(adminUrl, appRole);
  await setRoleLimits(appUrl);
  return startPgBouncer(found, appUrl);
}

function toAppUrl(adminUrl: string, { name, password }: AppRole): string {
  const url = new URL(adminUrl);
  url.username = name;
  url.password = password;
  return url.href;
}

function toDatabase(url: string, name: string): string {
  const parsed = new URL(url);
  parsed.pathname = `/${name}`;
  return parsed.href;
}

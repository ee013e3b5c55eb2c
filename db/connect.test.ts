import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requestCancel } from "./cancel-request.ts";
import type { BackendKey } from "./cancel-request.ts";
import { connect, readHosts, readProtection, readRole } from "./connect.ts";
import { requireUsableConnection } from "./direct-connection.ts";
import { prepareHome } from "./embedded-home.ts";
import { startEmbedded } from "./embedded.ts";
import type { EmbeddedDatabase } from "./embedded.ts";
import { databaseCode } from "./failures.ts";
import { CERTIFICATE, OTHER_AUTHORITY, PRIVATE_KEY } from "#test/outside/certificate.ts";

/** A PostgreSQL with a certificate for localhost and 127.0.0.1. It also listens on 127.0.0.2. */
let dir: string;
let database: EmbeddedDatabase;

beforeAll(async () => {
  dir = mkdtempSync(path.join(tmpdir(), "floatdeck-tls-"));
  chmodSync(dir, 0o755);
  const key = path.join(dir, "server.key");
  writeFileSync(key, PRIVATE_KEY, { mode: 0o600 });
  writeFileSync(file("authority.crt"), CERTIFICATE);
  writeFileSync(file("other.crt"), OTHER_AUTHORITY);
  const { user } = prepareHome(dir);
  if (user) {
    chownSync(key, user.uid, user.gid);
  }
  database = await startEmbedded(dir, [
    "ssl=on",
    `ssl_cert_file=${file("authority.crt")}`,
    `ssl_key_file=${key}`,
    "listen_addresses=127.0.0.1,127.0.0.2",
    "fsync=off",
  ]);
});

afterAll(async () => {
  await database.stop();
  rmSync(dir, { recursive: true, force: true });
});

function file(name: string): string {
  return path.join(dir, name);
}

function port(): string {
  return new URL(database.ownerUrl).port;
}

function toUrl(host: string, parameters: Record<string, string>): string {
  const url = new URL(database.ownerUrl);
  url.hostname = host;
  url.search = new URLSearchParams(parameters).toString();
  return url.href;
}

function verified(host: string, authority: string): string {
  return toUrl(host, { sslmode: "verify-full", sslrootcert: file(authority) });
}

async function ask(url: string): Promise<unknown> {
  const client = connect(url, { max: 1 });
  try {
    const [row] = await client`select ssl from pg_stat_ssl where pid = pg_backend_pid()`;
    return row?.["ssl"];
  } finally {
    await client.end();
  }
}

test.each(["localhost", "127.0.0.1"])(
  "a certificate for %s of the named authority is accepted",
  async (host) => {
    expect(await ask(verified(host, "authority.crt"))).toBe(true);
    expect(await requireUsableConnection(verified(host, "authority.crt"), "DATABASE_URL")).toEqual({
      isPooled: false,
    });
  },
);

test.each([
  [
    "of an authority that is not the named one",
    () => verified("localhost", "other.crt"),
    /is refused \(\w+\)\. sslrootcert must name the certificate of the authority that has signed it\.$/u,
  ],
  [
    "of an authority that the system does not know",
    () => toUrl("localhost", { sslmode: "verify-full" }),
    /is refused \(\w+\)\. sslrootcert must name/u,
  ],
  [
    "for another host",
    () => verified("127.0.0.2", "authority.crt"),
    /is refused: it is for another host \(.*127\.0\.0\.2.*\)\. Connect by a name that it lists/u,
  ],
])("a certificate %s is refused in one sentence", async (_, url, sentence) => {
  const refused = requireUsableConnection(url(), "DATABASE_URL");
  await expect(refused).rejects.toThrow(sentence);
  await expect(refused).rejects.toThrow(
    /^The certificate of the database that DATABASE_URL leads to /u,
  );
});

test.each([
  [
    { sslmode: "verify-ca" },
    /^sslmode must be one of disable, allow, prefer, require, verify-full, but a database URL has "verify-ca"\.$/u,
  ],
  [
    { sslmode: "require", sslrootcert: "/none" },
    /^sslrootcert in a database URL needs sslmode=verify-full beside it\.$/u,
  ],
  [
    { sslmode: "verify-full", sslrootcert: "/none" },
    /^The file \/none, which sslrootcert names, cannot be read\.$/u,
  ],
  [
    { host: "db.example" },
    /^host in a database URL's query must be the directory of a Unix socket, such as \/run\/postgresql, but is "db\.example"\.$/u,
  ],
])("%j is refused in one sentence", async (parameters, sentence) => {
  await expect(
    requireUsableConnection(toUrl("localhost", parameters), "DATABASE_URL"),
  ).rejects.toThrow(sentence);
});

test.each([
  [
    "a directory of a database",
    (directory: string) => `@localhost:${port()}/postgres?host=${directory}`,
  ],
  ["a user without a host", (directory: string) => `@:${port()}/postgres?host=${directory}`],
  [
    "TLS, which sockets do not have",
    (directory: string) => `@localhost:${port()}/postgres?sslmode=verify-full&host=${directory}`,
  ],
])("%s leads through a Unix socket", async (_, toAddress) => {
  const { username, password } = new URL(database.ownerUrl);
  const url = `postgres://${username}:${password}${toAddress(encodeURIComponent(file("postgres")))}`;
  expect(await ask(url)).toBe(false);
  expect(readHosts(url)).toEqual([file("postgres")]);
  expect(readProtection(url)).toBe("none");
});

test.each([
  ["an encrypted connection", () => verified("localhost", "authority.crt")],
  ["a Unix socket", () => toUrl("localhost", { host: file("postgres") })],
])("a statement is canceled over %s", async (_, url) => {
  const client = connect(url(), { max: 1 });
  await client`select 1`;
  const slow = client`select pg_sleep(60)`;
  const canceled = slow.then(() => "answered", databaseCode);
  await expect.poll(() => isActive(keyOf(slow))).toBe(true);
  await requestCancel(client, keyOf(slow));
  expect(await canceled).toBe("57014");
  await client.end();
});

function keyOf(query: object): BackendKey {
  // The driver notes on each query which connection has it; its types leave that out.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (query as { state: BackendKey | null }).state ?? { pid: 0, secret: 0 };
}

async function isActive({ pid }: BackendKey): Promise<boolean> {
  const client = connect(database.ownerUrl, { max: 1 });
  const rows =
    await client`select from pg_stat_activity where pid = ${pid} and query like '%pg_sleep%'`;
  await client.end();
  return rows.length === 1;
}

test("the role of a URL with several hosts is known", () => {
  expect(readRole("postgres://card%20s:x@db1.example:5432,db2.example:5432/floatdeck")).toBe(
    "card s",
  );
});

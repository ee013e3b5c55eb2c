import { readFileSync } from "node:fs";
import type { ConnectionOptions } from "node:tls";
import postgres from "postgres";
import type { Options, PostgresType, Sql } from "postgres";
import { UnusableConnection } from "./failures.ts";

/** How a connection is protected: `verified` is encrypted too. */
export type Protection = "none" | "encrypted" | "verified";

const PROTECTIONS: Readonly<Record<string, Protection>> = {
  disable: "none",
  allow: "none",
  prefer: "none",
  require: "encrypted",
  "verify-full": "verified",
};

/**
 * Opens a client of the driver. Nothing connects before the first query.
 * @param url may list several hosts, or name the directory of a Unix socket as libpq does, in `host`. `sslmode` takes
 * libpq's values except `verify-ca`, and is ignored for a socket; `sslrootcert` names a file with the certificates of
 * the authorities to trust instead of the system's.
 * @throws UnusableConnection with one sentence when the URL cannot be used.
 */
export function connect(url: string, options: Options<Record<string, PostgresType>>): Sql {
  const { address, ...target } = readTarget(url);
  return postgres(address, { ...options, ...target });
}

/** The hosts that a URL lists. */
export function readHosts(url: string): readonly string[] {
  return connect(url, { max: 1 }).options.host;
}

/** The role that a URL names, also where it lists several hosts. */
export function readRole(url: string): string {
  const { user } = connect(url, { max: 1 }).options;
  return typeof user === "string" ? user : "";
}

/** The protection that a URL requires. */
export function readProtection(url: string): Protection {
  const { socketDirectory, sslmode } = splitUrl(url);
  if (socketDirectory !== undefined) {
    return "none";
  }
  return PROTECTIONS[sslmode ?? "disable"] ?? "none";
}

/**
 * The driver's options besides the address. The driver handles `sslmode` itself, and would send parameters it does
 * not know to the server.
 */
function readTarget(url: string): {
  address: string;
  host?: string;
  ssl?: ConnectionOptions | false;
} {
  const { address, socketDirectory, sslmode, sslrootcert } = splitUrl(url);
  if (socketDirectory !== undefined) {
    return { address, host: requireDirectory(socketDirectory), ssl: false };
  }
  if (sslmode !== undefined && !(sslmode in PROTECTIONS)) {
    const known = Object.keys(PROTECTIONS).join(", ");
    throw new UnusableConnection(
      `sslmode must be one of ${known}, but a database URL has "${sslmode}".`,
    );
  }
  if (sslrootcert === undefined) {
    return { address };
  }
  if (sslmode !== "verify-full") {
    throw new UnusableConnection(
      "sslrootcert in a database URL needs sslmode=verify-full beside it.",
    );
  }
  return { address, ssl: { ca: readCertificates(sslrootcert) } };
}

function requireDirectory(socketDirectory: string): string {
  if (!socketDirectory.startsWith("/")) {
    throw new UnusableConnection(
      `host in a database URL's query must be the directory of a Unix socket, such as /run/postgresql, but is "${socketDirectory}".`,
    );
  }
  return socketDirectory;
}

function readCertificates(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new UnusableConnection(`The file ${file}, which sslrootcert names, cannot be read.`, {
      cause,
    });
  }
}

/** Splits a URL without `new URL`, which refuses several hosts, and a user without a host. */
function splitUrl(url: string) {
  const [place = "", query = ""] = url.split("?", 2);
  const parameters = new URLSearchParams(query);
  const socketDirectory = parameters.get("host") ?? undefined;
  const sslmode = parameters.get("sslmode") ?? undefined;
  const sslrootcert = parameters.get("sslrootcert") ?? undefined;
  parameters.delete("host");
  parameters.delete("sslrootcert");
  const address = `${place.replace(/@(?=[:/]|$)/u, "@localhost")}?${parameters}`;
  return { address, socketDirectory, sslmode, sslrootcert };
}

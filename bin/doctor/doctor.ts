import type { Env } from "#lib/base/env.ts";
import { THIS_PROCESS } from "#lib/base/this-process.ts";
import type { Command, Input, Result } from "../command.ts";
import type { Environment } from "../installation.ts";
import { checkAddresses } from "./addresses-check.ts";
import { openAccess } from "./database-access.ts";
import { checkConnections } from "./connections-check.ts";
import type { DatabaseAccess } from "./database-access.ts";
import {
  checkClock,
  checkExtensions,
  checkMigrations,
  checkOwner,
  checkReachable,
  checkRole,
  checkTls,
  checkVersion,
} from "./database-checks.ts";
import { checkDurability } from "./durability-check.ts";
import { ok, problem, skipped, toSentence } from "./finding.ts";
import type { Finding, NamedFinding } from "./finding.ts";
import { formatFindings } from "./format-findings.ts";
import {
  checkDashboard,
  checkDisk,
  checkEgress,
  checkMail,
  checkProxies,
  readSettings,
} from "./host-checks.ts";
import {
  checkEndpoints,
  checkEnvironment,
  checkProcesses,
  checkStops,
  checkUnmatched,
  checkSecret,
} from "./installation-checks.ts";
import { checkListen } from "./listen-check.ts";
import { checkLocks } from "./locks-check.ts";

/** The command that looks for anything that keeps an installation from working. It changes nothing. */
export const DOCTOR: Command = {
  words: ["doctor"],
  summary:
    "Check the settings, the database, and this machine; exits with 1 when there is a problem",
  options: {
    "egress-url": {
      about: "where to open a test connection; nothing is sent",
      fallback: "https://example.com",
    },
  },
  run: examine,
};

type HostCheck = (settings: Env, egressUrl: string) => Finding | Promise<Finding>;

/** The checks of this machine that are reported before those of the database, and after them. */
const FIRST_CHECKS: Readonly<Record<string, HostCheck>> = {
  proxies: checkProxies,
  disk: checkDisk,
};
const LAST_CHECKS: Readonly<Record<string, HostCheck>> = {
  dashboard: checkDashboard,
  mail: checkMail,
  egress: checkEgress,
};

/** The checks of a database that answers, in the order in which they are reported. */
const DATABASE_CHECKS: Readonly<Record<string, (access: DatabaseAccess) => Promise<Finding>>> = {
  version: checkVersion,
  durability: checkDurability,
  tls: checkTls,
  role: checkRole,
  owner: checkOwner,
  extensions: checkExtensions,
  migrations: checkMigrations,
  listen: checkListen,
  clock: checkClock,
  connections: checkConnections,
  locks: checkLocks,
  processes: checkProcesses,
  environment: checkEnvironment,
  changes: checkStops,
  secret: checkSecret,
  facts: checkUnmatched,
  addresses: checkAddresses,
  endpoints: checkEndpoints,
};

async function examine(environment: Environment, { options }: Input): Promise<Result> {
  const { settings, finding } = readSettings(environment);
  const egressUrl = options["egress-url"] ?? "";
  const others = settings
    ? [
        ...(await examineHost(FIRST_CHECKS, settings, egressUrl)),
        ...(await examineDatabase(settings)),
        ...(await examineHost(LAST_CHECKS, settings, egressUrl)),
      ]
    : [FIRST_CHECKS, { database: null, ...DATABASE_CHECKS }, LAST_CHECKS]
        .flatMap((each) => Object.keys(each))
        .map((name) => ({ name, ...skipped("the configuration is not valid.") }));
  const checks = [
    { name: "release", ...ok(`Floatdeck ${THIS_PROCESS.version}.`) },
    { name: "configuration", ...finding },
    ...others,
  ];
  const isOk = checks.every(({ status }) => status !== "problem");
  return { ok: isOk, text: formatFindings(checks), json: { ok: isOk, checks } };
}

async function examineHost(
  checks: Readonly<Record<string, HostCheck>>,
  settings: Env,
  egressUrl: string,
): Promise<NamedFinding[]> {
  const findings: NamedFinding[] = [];
  for (const [name, check] of Object.entries(checks)) {
    findings.push(await named(name, () => check(settings, egressUrl)));
  }
  return findings;
}

async function examineDatabase(settings: Env): Promise<NamedFinding[]> {
  try {
    const access = await openAccess(settings);
    if (!access) {
      const detail = "The embedded database does not exist yet; the first start creates it.";
      return [
        { name: "database", ...ok(detail) },
        ...skipDatabaseChecks("there is no database yet."),
      ];
    }
    try {
      return await examineOpen(access);
    } finally {
      await access.close();
    }
  } catch (error) {
    const detail = `The database cannot be reached: ${toSentence(error)}`;
    const action = settings.databaseUrl
      ? "Start PostgreSQL, or correct DATABASE_URL. PostgreSQL's log says why it refuses a connection."
      : "The log of the embedded PostgreSQL is under DATA_DIR.";
    return [
      { name: "database", ...problem(detail, action) },
      ...skipDatabaseChecks("the database cannot be reached."),
    ];
  }
}

/** @throws Error when the database does not answer. */
async function examineOpen(access: DatabaseAccess): Promise<NamedFinding[]> {
  const findings: NamedFinding[] = [{ name: "database", ...(await checkReachable(access)) }];
  for (const [name, check] of Object.entries(DATABASE_CHECKS)) {
    findings.push(await named(name, () => check(access)));
  }
  return findings;
}

function skipDatabaseChecks(reason: string): NamedFinding[] {
  return Object.keys(DATABASE_CHECKS).map((name) => ({ name, ...skipped(reason) }));
}

/** Runs a check. A check that throws becomes a problem, so that the remaining checks still run. */
async function named(name: string, check: () => Finding | Promise<Finding>): Promise<NamedFinding> {
  try {
    return { name, ...(await check()) };
  } catch (error) {
    const detail = `The check failed: ${toSentence(error)}`;
    return { name, ...problem(detail, "Resolve the other problems first, and run this again.") };
  }
}

import { z } from "zod";
import { IS_SECRET, MAIL_VARIABLES, toMailSettings } from "#lib/base/mail-settings.ts";
import type { MailSettings } from "#lib/base/mail-settings.ts";
import { addressesSchema, hostsSchema } from "#lib/base/internal/env-lists.ts";
import { readSecretFiles } from "#lib/base/internal/secret-files.ts";
import { toTraceSettings, TRACE_VARIABLES } from "#lib/base/trace-settings.ts";
import type { TraceSettings } from "#lib/base/trace-settings.ts";

/** Every setting that comes from the environment. Nothing else reads the environment. */
export interface Env {
  port: number;
  host: string;
  /** The address at which the server answers on its own machine, without a trailing slash. */
  ownUrl: string;
  /** The address at which people and programs reach the server, without a trailing slash. */
  publicUrl: string;
  /** The host names, in lower case and without ports, that requests may be addressed to. */
  hosts: ReadonlySet<string>;
  /** Undefined for the embedded PostgreSQL. */
  databaseUrl: string | undefined;
  /** Connects as the role that owns the tables, for when `databaseUrl` uses a restricted role. */
  databaseMigrationUrl: string | undefined;
  /** Connects to PostgreSQL directly, for when `databaseUrl` leads to a connection pooler. */
  databaseListenUrl: string | undefined;
  dataDir: string;
  environment: "sandbox" | "live";
  /** The number of this cluster among several with separate databases (docs/scaling.md). API keys name it. */
  cell: number;
  /** The first secret seals; each of them opens. Empty when none is set. */
  secrets: readonly string[];
  /** How many proxies in front of the server are trusted to report a client's address. */
  trustedProxies: number;
  /** The identity provider for staff sign-in. Its three settings are set together or not at all. */
  openId: { issuer: string; clientId: string; clientSecret: string } | undefined;
  /** Requests per second for one integrator in sandbox. 0 means no limit. */
  sandboxRateLimit: number;
  /** How long a stopping server still answers while it reports that it is not ready, so that load balancers notice. */
  drainSeconds: number;
  /** Whether the server also sends notifications. */
  worker: boolean;
  /** Where metrics are served without authentication; undefined when they are off. */
  metrics: { port: number; host: string } | undefined;
  /** How requests are traced; undefined when they are not. */
  traces: TraceSettings | undefined;
  /** The mail server that sends messages to people; undefined when there is none. */
  mail: MailSettings | undefined;
  /** The addresses and blocks that notifications are sent from, as stated by the operator; null if not stated. */
  webhookAddresses: string[] | null;
  /** Whether notifications may go to this machine's loopback addresses. Never in live. */
  webhookLoopback: boolean;
  /** Values set explicitly in the environment. Null where the value above is a default. */
  given: { publicUrl: string | null };
}

const databaseUrlSchema = z
  .string()
  .regex(/^postgres(?:ql)?:\/\//u, "must be a postgres:// URL")
  .optional()
  .meta(IS_SECRET);

const SECRET_MIN = 32;
/**
 * Rotation needs several secrets at once. A list with spaces is refused, because a space would make a different secret.
 */
const secretsSchema = z
  .string()
  .transform((text) => text.split(","))
  .refine((secrets) => secrets.every((secret) => secret.length >= SECRET_MIN), {
    error: "must be at least 32 characters, or several such secrets separated by commas",
  })
  .refine(
    (secrets) => secrets.length === 1 || secrets.every((secret) => secret === secret.trim()),
    "must list its secrets with commas alone, without spaces",
  );

/** @param noun names the number in the error message. */
function wholeNumber(noun: string, min: number, max: number) {
  const rule = `must be a ${noun}, ${min} to ${max}`;
  return z.coerce.number(rule).int(rule).min(min, rule).max(max, rule);
}

const portSchema = wholeNumber("port number", 1, 65_535);

/** The longest `DRAIN_SECONDS`. */
export const DRAIN_SECONDS_MAX = 300;

/** API keys of this cell do not name it, because keys existed before cells did. */
export const FIRST_CELL = 1;
/** The highest cell number that fits into ids. */
export const CELL_MAX = 4_095;

const envSchema = z.object({
  PORT: portSchema.default(3_000),
  HOST: z.string().min(1).default("127.0.0.1"),
  PUBLIC_URL: z
    .url({
      protocol: /^https?$/u,
      error: "must be an http(s) URL, for example https://cards.example.com",
    })
    .optional(),
  ALLOWED_HOSTS: hostsSchema,
  DATABASE_URL: databaseUrlSchema,
  DATABASE_MIGRATION_URL: databaseUrlSchema,
  DATABASE_LISTEN_URL: databaseUrlSchema,
  DATA_DIR: z.string().min(1).default(".data"),
  FLOATDECK_ENV: z.enum(["sandbox", "live"], 'must be "sandbox" or "live"').default("sandbox"),
  FLOATDECK_CELL: wholeNumber("whole number", FIRST_CELL, CELL_MAX).default(FIRST_CELL),
  FLOATDECK_SECRET: secretsSchema.optional().meta(IS_SECRET),
  OPENID_ISSUER: z
    .url({ protocol: /^https?$/u, error: "must be the provider's issuer URL" })
    .optional(),
  OPENID_CLIENT_ID: z.string().optional(),
  OPENID_CLIENT_SECRET: z.string().optional().meta(IS_SECRET),
  TRUSTED_PROXIES: z.coerce.number("must be a whole number").int().min(0).max(10).default(0),
  SANDBOX_RATE_LIMIT: z.coerce.number("must be a whole number").int().min(0).default(0),
  DRAIN_SECONDS: wholeNumber("whole number of seconds", 0, DRAIN_SECONDS_MAX).default(0),
  WORKER: z.enum(["on", "off"], 'must be "on" or "off"').default("on"),
  WEBHOOK_ADDRESSES: addressesSchema.optional(),
  WEBHOOK_LOOPBACK: z.enum(["on", "off"], 'must be "on" or "off"').optional(),
  METRICS_PORT: portSchema.optional(),
  METRICS_HOST: z.string().min(1).default("127.0.0.1"),
  TIME_LIMIT_FACTOR: wholeNumber("whole number", 1, 100).default(1),
  ...MAIL_VARIABLES,
  ...TRACE_VARIABLES,
});

/** The variables that may also be given as files. */
export const SECRET_VARIABLES = Object.entries(envSchema.shape)
  .filter(([, schema]) => schema.meta()?.["isSecret"])
  .map(([name]) => name);

/**
 * Parses the environment. An empty variable counts as absent.
 * @throws Error in one sentence that names the variable and what it allows.
 */
export function readEnv(source: Readonly<Record<string, string | undefined>>): Env {
  const filled = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ""));
  const parsed = envSchema.safeParse(readSecretFiles(filled, SECRET_VARIABLES));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Error(`${issue?.path.join(".")} ${issue?.message}.`);
  }
  const values = parsed.data;
  requireDatabaseSettings(values);
  requireOwnTimeLimits(values);
  const given = toGiven(values);
  const ownUrl = `http://${toUrlHost(values.HOST)}:${values.PORT}`;
  const publicUrl = given.publicUrl ?? ownUrl;
  return {
    port: values.PORT,
    host: values.HOST,
    ownUrl,
    publicUrl,
    hosts: toHosts(values, publicUrl),
    databaseUrl: values.DATABASE_URL,
    databaseMigrationUrl: values.DATABASE_MIGRATION_URL,
    databaseListenUrl: values.DATABASE_LISTEN_URL,
    dataDir: values.DATA_DIR,
    environment: values.FLOATDECK_ENV,
    cell: values.FLOATDECK_CELL,
    secrets: values.FLOATDECK_SECRET ?? [],
    openId: toOpenId(values),
    trustedProxies: values.TRUSTED_PROXIES,
    sandboxRateLimit: values.SANDBOX_RATE_LIMIT,
    drainSeconds: values.DRAIN_SECONDS,
    worker: values.WORKER === "on",
    metrics: toMetrics(values),
    traces: toTraceSettings(values),
    mail: toMailSettings(values),
    webhookAddresses: values.WEBHOOK_ADDRESSES ?? null,
    webhookLoopback: mayReachLoopback(values, publicUrl),
    given,
  };
}

function requireDatabaseSettings(values: z.output<typeof envSchema>): void {
  // Live never generates a secret: if its directory were lost, nobody could read the database again.
  if (values.FLOATDECK_ENV === "live" && !values.DATABASE_URL) {
    throw new Error(
      "DATABASE_URL must be set when FLOATDECK_ENV is live: the embedded PostgreSQL is for sandboxes.",
    );
  }
  if (values.DATABASE_URL && !values.FLOATDECK_SECRET) {
    throw new Error(
      "FLOATDECK_SECRET must be set, to 32 characters or more, when DATABASE_URL is: `openssl rand -hex 32` makes one. Keep it, because nothing can be started or restored without it.",
    );
  }
  if (values.DATABASE_LISTEN_URL && !values.DATABASE_URL) {
    throw new Error("DATABASE_LISTEN_URL must not be set without DATABASE_URL.");
  }
}

/** `db/time-limits.ts` reads the factor itself, because it must not import this module. */
function requireOwnTimeLimits(values: z.output<typeof envSchema>): void {
  if (values.FLOATDECK_ENV === "live" && values.TIME_LIMIT_FACTOR !== 1) {
    throw new Error("TIME_LIMIT_FACTOR must not be set when FLOATDECK_ENV is live.");
  }
}

function toGiven(values: z.output<typeof envSchema>): Env["given"] {
  const publicUrl = values.PUBLIC_URL?.replace(/\/+$/u, "") ?? null;
  if (values.FLOATDECK_ENV === "live" && publicUrl?.startsWith("http:")) {
    throw new Error(HTTPS_NEEDED);
  }
  return { publicUrl };
}

const HTTPS_NEEDED = "PUBLIC_URL must be set to an https URL when FLOATDECK_ENV is live.";

/**
 * Checks what a live server needs beyond what workers and commands need.
 * @throws Error in one sentence that names the variable.
 */
export function requireServable({ environment, given }: Env): void {
  if (environment === "live" && given.publicUrl === null) {
    throw new Error(HTTPS_NEEDED);
  }
}

/** A sandbox always accepts requests addressed to its own machine, whatever its public URL is. */
function toHosts(values: z.output<typeof envSchema>, publicUrl: string): ReadonlySet<string> {
  return new Set([
    new URL(publicUrl).hostname,
    ...values.ALLOWED_HOSTS,
    ...(values.FLOATDECK_ENV === "sandbox" ? LOOPBACK : []),
  ]);
}

function toOpenId(values: z.output<typeof envSchema>): Env["openId"] {
  const {
    OPENID_ISSUER: issuer,
    OPENID_CLIENT_ID: clientId,
    OPENID_CLIENT_SECRET: clientSecret,
  } = values;
  if (values.FLOATDECK_ENV === "live" && issuer?.startsWith("http:")) {
    throw new Error("OPENID_ISSUER must be an https URL when FLOATDECK_ENV is live.");
  }
  if (issuer && clientId && clientSecret) {
    return { issuer, clientId, clientSecret };
  }
  if (issuer || clientId || clientSecret) {
    throw new Error(
      "OPENID_ISSUER, OPENID_CLIENT_ID and OPENID_CLIENT_SECRET must be set together, or none of them.",
    );
  }
  return undefined;
}

function toMetrics(values: z.output<typeof envSchema>): Env["metrics"] {
  const { METRICS_PORT: port, METRICS_HOST: host } = values;
  if (port === values.PORT) {
    throw new Error("METRICS_PORT must not be PORT: metrics are served without credentials.");
  }
  return port === undefined ? undefined : { port, host };
}

/**
 * By default, only a sandbox that no other machine can reach may notify programs on its own machine. Behind a proxy, a
 * loopback address does not show who can reach the server.
 */
function mayReachLoopback(values: z.output<typeof envSchema>, publicUrl: string): boolean {
  const { WEBHOOK_LOOPBACK: setting, FLOATDECK_ENV: environment, HOST: host } = values;
  if (environment === "live") {
    if (setting === "on") {
      throw new Error("WEBHOOK_LOOPBACK must not be on when FLOATDECK_ENV is live.");
    }
    return false;
  }
  if (setting !== undefined) {
    return setting === "on";
  }
  const hosts = [host, URL.parse(publicUrl)?.hostname ?? ""];
  return values.TRUSTED_PROXIES === 0 && hosts.every((each) => LOOPBACK.has(each));
}

/** The names of this machine, as URLs spell them. */
export const LOOPBACK: ReadonlySet<string> = new Set(["127.0.0.1", "::1", "[::1]", "localhost"]);

function toUrlHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") {
    return "localhost";
  }
  return host.includes(":") ? `[${host}]` : host;
}

let parsedOnce: Env | undefined;

/** The environment of this process, parsed on first use. */
export function env(): Env {
  parsedOnce ??= readEnv(process.env);
  return parsedOnce;
}

import { constants, existsSync } from "node:fs";
import { access, stat, statfs } from "node:fs/promises";
import path from "node:path";
import { request } from "undici";
import { readEnv, requireServable } from "#lib/base/env.ts";
import type { Env } from "#lib/base/env.ts";
import { askMailServer } from "#lib/messages/mail-check.ts";
import { connect } from "#lib/webhooks/connect.ts";
import { endpointPolicy } from "#lib/webhooks/endpoint-url.ts";
import type { Environment } from "../installation.ts";
import { findProxyFault } from "../proxy-fault.ts";
import { ok, problem, toSentence, warning } from "./finding.ts";
import type { Finding } from "./finding.ts";
import { timeLimit } from "#db/time-limits.ts";

/** The checks of this machine and of its settings; none of them needs the database. */

const MIB = 2 ** 20;
const DISK_PROBLEM_BYTES = 512 * MIB;
const DISK_WARNING_BYTES = 5_120 * MIB;

const DASHBOARD_ACTION =
  "Look in the server's log for the process that serves pages. After a start, it may still be building them: wait. If it hangs, end it with kill -9 (dist/pages.js): the server starts another. The API is not affected.";

/** Parses the settings as a server does. They are undefined when they cannot be parsed. */
export function readSettings(environment: Environment): {
  settings: Env | undefined;
  finding: Finding;
} {
  let settings: Env | undefined;
  try {
    settings = readEnv(environment);
    requireServable(settings);
  } catch (error) {
    const action =
      "Correct the environment variable; docs/configuration.md lists what each allows.";
    return { settings, finding: problem(toSentence(error), action) };
  }
  const { environment: kind, host, port, publicUrl } = settings;
  return { settings, finding: ok(`${kind}, listens on ${host}:${port}, reached at ${publicUrl}.`) };
}

/** Checks that the server can tell its clients apart. */
export function checkProxies(settings: Env): Finding {
  const fault = findProxyFault(settings);
  const action =
    "Set TRUSTED_PROXIES to the number of proxies in front that append the client's address to X-Forwarded-For.";
  return fault
    ? problem(fault, action)
    : ok(`Clients' addresses come from ${toSource(settings.trustedProxies)}.`);
}

function toSource(trustedProxies: number): string {
  return trustedProxies === 0 ? "their connections" : "X-Forwarded-For";
}

/** Checks that DATA_DIR can be written to and has space left. */
export async function checkDisk({ dataDir }: Env): Promise<Finding> {
  const place = findExisting(path.resolve(dataDir));
  try {
    const found = await stat(place);
    if (!found.isDirectory()) {
      throw new Error(`${place} is not a directory`);
    }
    await access(place, constants.W_OK);
  } catch (error) {
    const detail = `DATA_DIR ${dataDir} cannot be written to: ${toSentence(error)}`;
    return problem(detail, "Set DATA_DIR to a directory that this account may write to.");
  }
  const { bavail, bsize } = await statfs(place);
  return judgeDisk(bavail * bsize, dataDir);
}

/** The directory itself, or the closest one above it that exists. */
function findExisting(directory: string): string {
  return existsSync(directory) ? directory : findExisting(path.dirname(directory));
}

/** @param freeBytes what this account may still write to the disk of DATA_DIR. */
export function judgeDisk(freeBytes: number, dataDir: string): Finding {
  const detail = `${Math.floor(freeBytes / MIB)} MiB are free on the disk of DATA_DIR (${dataDir}).`;
  const action =
    "Free space, or move DATA_DIR. When a disk is full, PostgreSQL refuses every change.";
  if (freeBytes < DISK_PROBLEM_BYTES) {
    return problem(detail, action);
  }
  return freeBytes < DISK_WARNING_BYTES ? warning(detail, action) : ok(detail);
}

/** Checks that the server of this machine, if one runs, serves the dashboard. */
export async function checkDashboard({ ownUrl, publicUrl }: Env): Promise<Finding> {
  const url = `${ownUrl}/sign-in`;
  try {
    const headers = { host: new URL(publicUrl).host };
    const signal = AbortSignal.timeout(timeLimit("doctorPage"));
    const { statusCode, body } = await request(url, { headers, signal });
    await body.dump();
    return statusCode === 200
      ? ok(`The dashboard answers at ${url}.`)
      : problem(`The dashboard does not work: ${url} answers ${statusCode}.`, DASHBOARD_ACTION);
  } catch (error) {
    return isRefused(error)
      ? ok(`No server runs on this machine: nothing listens at ${ownUrl}.`)
      : problem(`${url} does not answer: ${toSentence(error)}`, DASHBOARD_ACTION);
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ECONNREFUSED";
}

/** Checks that the mail server answers, over TLS, and accepts the credentials. */
export async function checkMail({ mail, worker }: Env): Promise<Finding> {
  if (!mail) {
    return ok("No mail is sent, because SMTP_URL is not set. The dashboard shows links instead.");
  }
  const { host } = new URL(mail.smtpUrl);
  const { isEncrypted, hasCredentials, failure } = await askMailServer(mail);
  if (failure !== null) {
    const action = "Correct SMTP_URL, or allow this machine to reach the mail server.";
    const detail = `The mail server ${host} takes no mail: ${failure}`;
    return worker ? problem(detail, action) : warning(detail, action);
  }
  const login = hasCredentials ? "accepts the credentials" : "asks for no credentials";
  return ok(
    `The mail server ${host} answers ${isEncrypted ? "over TLS" : "without TLS"}, and ${login}.`,
  );
}

/**
 * Checks that webhooks can leave this machine, in the way the sender connects: resolves the host, opens a connection, and
 * closes it without sending a request.
 */
export async function checkEgress(settings: Env, url: string): Promise<Finding> {
  const tried = `Tried to open a connection to ${url}, without sending anything`;
  try {
    const signal = AbortSignal.timeout(timeLimit("doctorEgress"));
    const { address, socket } = await connect(url, endpointPolicy(settings), { signal });
    socket.destroy();
    return ok(`${tried}: ${address} answered.`);
  } catch (error) {
    return judgeFailedEgress(settings, `${tried}: ${toSentence(error)}`);
  }
}

function judgeFailedEgress({ environment, worker }: Env, detail: string): Finding {
  if (environment === "live" && worker) {
    const action =
      "Allow this machine to resolve names and to reach the internet, or set WORKER=off and send webhooks from another one.";
    return problem(detail, action);
  }
  const action = worker
    ? "Webhooks from this machine reach only this machine. Allow it to resolve names and to reach the internet if they should go further."
    : "Run this command on the machines that run workers: this server sends no webhooks (WORKER=off).";
  return warning(detail, action);
}

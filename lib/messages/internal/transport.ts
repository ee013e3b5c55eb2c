import { createTransport } from "nodemailer";
import { LOOPBACK } from "#lib/base/env.ts";
import { timeLimit } from "#db/time-limits.ts";

/**
 * Creates a transport to the mail server. It requires encryption, because messages have links with which anybody could
 * sign in, except for a server on the same machine or a URL with `requireTLS=false`. It reads no files and no URLs.
 */
export function toTransport(smtpUrl: string) {
  return createTransport({
    url: smtpUrl,
    requireTLS: requiresTls(smtpUrl),
    connectionTimeout: timeLimit("mailConnect"),
    greetingTimeout: timeLimit("mailConnect"),
    dnsTimeout: timeLimit("nameLookup"),
    socketTimeout: timeLimit("mailAnswer"),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** Whether connections to this server must be encrypted. */
export function requiresTls(smtpUrl: string): boolean {
  const { protocol, hostname, searchParams } = new URL(smtpUrl);
  const asked = searchParams.get("requireTLS");
  return protocol === "smtps:" || (asked === null ? !LOOPBACK.has(hostname) : asked === "true");
}

import { createTransport } from "nodemailer";
import { LOOPBACK } from "#lib/base/env.ts";
import { timeLimit } from "#db/time-limits.ts";

/**
 * Connections to the mail server. They are encrypted, because messages have links with which anybody could sign in; a server
 * on the same machine need not, and neither need one whose URL says `requireTLS=false`. Reads no files and no URLs.
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

/** Whether a connection to this server is encrypted, or fails. */
export function requiresTls(smtpUrl: string): boolean {
  const { protocol, hostname, searchParams } = new URL(smtpUrl);
  const asked = searchParams.get("requireTLS");
  return protocol === "smtps:" || (asked === null ? !LOOPBACK.has(hostname) : asked === "true");
}

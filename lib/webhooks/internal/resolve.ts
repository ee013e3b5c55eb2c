import { Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import { timeLimit } from "#db/time-limits.ts";

/** The result of a lookup: addresses, none, or no answer in time. */
export type Resolution =
  | { kind: "resolved"; addresses: readonly string[] }
  | { kind: "unknown" }
  | { kind: "timed_out" };

const LOOPBACK = ["127.0.0.1", "::1"];

/**
 * Resolves every address of a URL's host. A literal is its own address; `localhost` is this machine by
 * definition (RFC 6761), without a query. Node's own lookup is not used: it blocks one of four threads for as
 * long as a name server takes.
 * @param nameServers used instead of the system's.
 */
export async function resolveHost(
  hostname: string,
  nameServers?: readonly string[],
): Promise<Resolution> {
  const host = toHost(hostname);
  if (isIP(host)) {
    return { kind: "resolved", addresses: [host] };
  }
  if (host === "localhost" || host.endsWith(".localhost")) {
    return { kind: "resolved", addresses: LOOPBACK };
  }
  const resolver = new Resolver({ timeout: timeLimit("nameLookup"), tries: 1 });
  if (nameServers) {
    resolver.setServers(nameServers);
  }
  const timer = setTimeout(() => resolver.cancel(), timeLimit("nameLookup"));
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  clearTimeout(timer);
  const addresses = answers.flatMap((answer) =>
    answer.status === "fulfilled" ? answer.value : [],
  );
  if (addresses.length > 0) {
    return { kind: "resolved", addresses };
  }
  return { kind: answers.some(isTimeout) ? "timed_out" : "unknown" };
}

/** A URL's host in its usual form: no brackets, no trailing dot. */
export function toHost(hostname: string): string {
  return hostname.replace(/^\[(?<literal>.*)\]$/u, "$<literal>").replace(/\.$/u, "");
}

function isTimeout(answer: PromiseSettledResult<string[]>): boolean {
  const reason: unknown = answer.status === "rejected" ? answer.reason : undefined;
  const code = reason instanceof Error && "code" in reason ? reason.code : "";
  return code === "ETIMEOUT" || code === "ECANCELLED";
}

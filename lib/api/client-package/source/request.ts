import type { Fetch, LoggedAttempt, Outgoing } from "./exchange.ts";
import { toHeaders } from "./headers.ts";
import { NEVER } from "./times.ts";

/**
 * The contract that a client was made for: its operations by noun. A noun's text is separated by semicolons. First comes the
 * beginning of a path, for which `~` stands in the others. Each of those is an operation: its name, its path with a colon for
 * the id and a `%` for the name, its trait, and its method if that is not GET, as in `/cards;get ~/:;freeze ~/:/% + C`. `P` is
 * POST, `C` is PATCH, `K` is `cursor`, and `F` is `file`. With the trait `-`, or without one, it takes no input; with `+`, a
 * query to read, or a body to change something. Others take an input as well: a list goes on by `cursor` or `after`; a `file`
 * is answered with text, anything else with JSON; all changes take an idempotency key but those with `!`.
 */
export interface ClientContract {
  apiVersion: string;
  baseUrl: string;
  operations: Readonly<Record<string, string>>;
}

export interface Operation {
  name: string;
  method: string;
  path: string;
  trait: string;
}

interface Persistence {
  timeoutMs?: number;
  deadlineMs?: number;
  maxRetries?: number;
  headers?: Readonly<Record<string, string>>;
}

export interface ClientOptions extends Persistence {
  apiKey: string;
  baseUrl?: string;
  cells?: Readonly<Record<string, string>>;
  fetch?: Fetch;
  log?: (attempt: LoggedAttempt) => void;
}

interface CallOptions extends Persistence {
  idempotencyKey?: string;
  signal?: AbortSignal;
}

export type Query = Record<string, unknown>;

/** What a call was given. */
export interface Arguments {
  id: string;
  input: Query | undefined;
  options: CallOptions;
}

export interface Client {
  /** Where requests go: from the first one on that its server sent elsewhere, `home`. */
  baseUrl: string;
  /** The address of the key's cell, if its user knows it. */
  home: string | undefined;
  /** Of every request. */
  headers: Readonly<Record<string, string>>;
  options: ClientOptions;
}

/** The request that performs an operation. @throws TypeError for a header that cannot be sent. */
export function toOutgoing(
  { name, method, path, trait }: Operation,
  { id, input, options }: Arguments,
  client: Client,
): Omit<Outgoing, "answers"> {
  const { home, options: settings } = client;
  const isRead = method === "GET";
  const repeatable = trait !== "!";
  const [query, body] = isRead ? [toQuery(input)] : ["", JSON.stringify(input)];
  const own = {
    "Content-Type": body && "application/json",
    "Idempotency-Key": isRead || !repeatable ? undefined : (options.idempotencyKey ?? newKey()),
  };
  const headers = toHeaders(own, client.headers, options.headers);
  const place = path.replace(":", () => encodeURIComponent(id)) + query;
  const moveTo = (base: string) => {
    client.baseUrl = base;
    return new URL(base + place);
  };
  return {
    operation: name,
    url: moveTo(client.baseUrl),
    follow: home ? () => moveTo(home) : undefined,
    init: { method, headers: Object.fromEntries(headers), ...(body && { body }) },
    idempotencyKey: headers.get("idempotency-key") ?? undefined,
    repeatable,
    signal: options.signal,
    fetch: settings.fetch ?? fetch,
    log: settings.log,
    ...toPersistence({ ...settings, ...options }, input),
  };
}

/** @param input says in `wait` for how many seconds the server may wait before it answers. */
function toPersistence(
  { timeoutMs = 30_000, deadlineMs = 120_000, maxRetries = NEVER }: Persistence,
  input: Query | undefined,
) {
  const waitS = Number(input?.["wait"] || 0);
  return { timeoutMs: timeoutMs + waitS * 1_000, deadlineMs, maxRetries };
}

/**
 * Accepts the server's address with or without the `/api` that its operations begin with.
 * @throws TypeError for what no request can be sent to.
 */
export function toBaseUrl(name: string, given: string): string {
  if (!/^https?:\/\/[^/@]+(?:\/|$)/u.test(given)) {
    throw new TypeError(`${name} must be http(s), without a password.`);
  }
  return given.replace(/(?:\/api)?\/*$/u, "/api");
}

/** Members without a value are left out; a list is joined by commas, an object becomes `name[key]=value`. */
function toQuery(query: Query = {}): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    const isObject = typeof value === "object" && !Array.isArray(value);
    const members: Query = isObject ? { ...value } : { "": value };
    for (const [key, each] of Object.entries(members)) {
      if ((each ?? undefined) !== undefined) {
        given.append(isObject ? `${name}[${key}]` : name, String(each));
      }
    }
  }
  const text = given.toString();
  return text && `?${text}`;
}

/** 128 random bits. `crypto.randomUUID` is missing in browsers on pages without TLS. */
function newKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}

import { Pages } from "./pages.ts";
import type { Paging } from "./pages.ts";
import { send } from "./send.ts";
import type { Incoming, Outgoing } from "./send.ts";

/**
 * One operation of the contract: its method, its path with at most one member in braces, and its traits, for example
 * `PATCH /cards/{id}/freeze body keyed`. It takes a `body` or a `query`; it is `keyed` when it takes an idempotency key; a
 * list goes on by `cursor`, `after`, or `page`.
 */
export type ClientOperation = string;

/** The contract that a client was made for. `operations` are named `noun.method`. */
export interface ClientContract {
  apiVersion: string;
  baseUrl: string;
  operations: Readonly<Record<string, ClientOperation>>;
}

export interface ClientOptions {
  apiKey: string;
  baseUrl?: string;
  timeoutMs?: number;
  deadlineMs?: number;
  maxRetries?: number;
}

interface CallOptions extends Partial<Omit<ClientOptions, "apiKey" | "baseUrl">> {
  idempotencyKey?: string;
  signal?: AbortSignal;
}

type Query = Record<string, unknown>;

const TIMEOUT_MS = 30_000;
const DEADLINE_MS = 120_000;

type Method = (...given: unknown[]) => unknown;
type Nouns = Record<string, Record<string, Method>>;

/** The class of clients of this contract. Its operations are `client.noun.method(id?, input?, options?)`. */
export function defineClient(contract: ClientContract): new (options: ClientOptions) => Nouns {
  return class Floatdeck {
    [noun: string]: Record<string, Method>;

    constructor(options: ClientOptions) {
      if (!options.apiKey) {
        throw new TypeError("An apiKey is required.");
      }
      Object.assign(this, toNouns(contract, options));
    }
  };
}

function toNouns(contract: ClientContract, client: ClientOptions): Nouns {
  const nouns: Nouns = {};
  for (const [name, line] of Object.entries(contract.operations)) {
    const operation = toOperation(line);
    const [noun = "", method = ""] = name.split(".");
    (nouns[noun] ??= {})[method] = (...given) =>
      perform(operation, toArguments(name, operation, given), { contract, client });
  }
  return nouns;
}

interface Operation {
  method: string;
  path: string;
  input: "body" | "query" | undefined;
  keyed: boolean;
  paging: Paging | undefined;
}

function toOperation(line: ClientOperation): Operation {
  const [method = "", path = "", ...traits] = line.split(" ");
  return {
    method,
    path,
    input: (["body", "query"] as const).find((each) => traits.includes(each)),
    keyed: traits.includes("keyed"),
    paging: (["cursor", "after", "page"] as const).find((each) => traits.includes(each)),
  };
}

interface Arguments {
  id: string;
  input: Query | undefined;
  options: CallOptions;
}

/** Tells apart what was given: an id where the path has one, the input where there is one, the options. */
function toArguments(name: string, operation: Operation, given: unknown[]): Arguments {
  const rest = [...given];
  const id = operation.path.includes("{") ? rest.shift() : "";
  if (typeof id !== "string" || (operation.path.includes("{") && id === "")) {
    // An empty id would make the path that of another operation.
    throw new TypeError(`${name} needs an id as its first argument.`);
  }
  const input = operation.input ? toMembers(rest.shift()) : undefined;
  return { id, input, options: toMembers(rest.shift()) ?? {} };
}

function toMembers(value: unknown): Query | undefined {
  return typeof value === "object" && value !== null ? { ...value } : undefined;
}

interface Client {
  contract: ClientContract;
  client: ClientOptions;
}

function perform(operation: Operation, given: Arguments, client: Client): unknown {
  const read = (next: Query): Promise<Incoming> =>
    send(toOutgoing(operation, { ...given, input: toInput(given.input, next) }, client));
  return operation.paging ? new Pages(operation.paging, read) : read({}).then(({ body }) => body);
}

function toInput(given: Query | undefined, next: Query): Query | undefined {
  return given || Object.keys(next).length > 0 ? { ...given, ...next } : undefined;
}

function toOutgoing(operation: Operation, given: Arguments, client: Client): Outgoing {
  const { method, path, input: place, keyed } = operation;
  const { id, input, options } = given;
  const query = place === "query" ? toQuery(input) : "";
  return {
    method,
    url: `${toBaseUrl(client)}${path.replace(/\{.+?\}/u, () => encodeURIComponent(id))}${query}`,
    headers: toHeaders(operation, given, client),
    body: place === "body" && input ? JSON.stringify(input) : undefined,
    repeatable: keyed || method === "GET",
    signal: options.signal,
    ...toPersistence({ ...client.client, ...options }, Number(input?.["wait"] ?? 0)),
  };
}

function toHeaders(
  { input: place, keyed }: Operation,
  { input, options }: Arguments,
  { contract, client }: Client,
): Record<string, string> {
  return {
    Authorization: `Bearer ${client.apiKey}`,
    "Api-Version": contract.apiVersion,
    ...(place === "body" && input ? { "Content-Type": "application/json" } : {}),
    ...(keyed ? { "Idempotency-Key": options.idempotencyKey ?? newKey() } : {}),
  };
}

/** @param waitS how long the server may wait before it answers. */
function toPersistence(settings: Omit<CallOptions, "signal">, waitS: number) {
  return {
    timeoutMs: (settings.timeoutMs ?? TIMEOUT_MS) + waitS * 1_000,
    deadlineMs: settings.deadlineMs ?? DEADLINE_MS,
    retriesMax: settings.maxRetries ?? Number.POSITIVE_INFINITY,
  };
}

/** Accepts the server's address with or without the `/api` that its operations begin with. */
function toBaseUrl({ contract, client }: Client): string {
  const url = (client.baseUrl ?? contract.baseUrl).replace(/\/+$/u, "");
  return url.endsWith("/api") ? url : `${url}/api`;
}

/** Members without a value are left out; a list is joined by commas, an object becomes `name[key]=value`. */
function toQuery(query: Query = {}): string {
  const entries = Object.entries(query).flatMap(([name, value]): [string, unknown][] =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.entries(value).map(([key, each]) => [`${name}[${key}]`, each])
      : [[name, value]],
  );
  const given = entries
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => [name, String(value)]);
  return given.length > 0 ? `?${new URLSearchParams(given).toString()}` : "";
}

/** 128 random bits. `crypto.randomUUID` is missing in browsers on pages without TLS. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

import { setImmediate } from "node:timers/promises";
import {
  LARGE_BODY_LIMITS,
  readLimited,
  requirePlain,
  requireSize,
} from "#lib/api/edge/limited-body.ts";
import type { BodyLimits } from "#lib/api/edge/limited-body.ts";
import { isLong } from "#lib/api/edge/long-bodies.ts";
import { toEncodingFault, toJsonFault } from "#lib/api/edge/internal/json-fault.ts";
import { DomainError, isDomainError } from "#lib/base/errors.ts";
import type { MemberErrors } from "#lib/base/errors.ts";
import { AMOUNT_MEMBERS, MINOR_UNITS } from "#lib/base/money-schemas.ts";
import { toPrintableName } from "#lib/base/printable.ts";
import { SharedPool } from "#lib/base/shared-pool.ts";

const DEPTH_MAX = 20;

/** How much of this process's memory all long bodies that are still arriving may take together. */
const longBodies = new SharedPool(
  64 * LARGE_BODY_LIMITS.bytes,
  "Too many long bodies are arriving at once; wait a moment.",
);

/** How many tokens of a long body are read before other requests get a turn: a few milliseconds of work. */
const TURN_TOKENS = 5_000;

/** A body as received, and its parsed value; undefined where no body is read. */
export interface Body {
  text: string;
  value: unknown;
}

/** How much an operation accepts, and who sends it. */
interface Sending {
  limits: BodyLimits;
  /** The party that shares the memory for long bodies with others: an integrator, or a network. */
  sender: string;
}

/** How an operation reads its body. */
interface Reading {
  /** Whether values may contain NUL and lone surrogates, because the operation cleans its text. */
  takesAnyText: boolean;
  limits: BodyLimits;
}

/** A body that can be read in only one way, and errors of its members that no schema can see. */
interface JsonBody extends Body {
  errors: MemberErrors;
}

/**
 * Receives a body. If it cannot be read to its end, the sender is at fault: the connection closed, or what followed
 * is not HTTP.
 * @throws DomainError `request_malformed`, `body_too_large`, `overloaded`.
 */
export async function receive(request: Request, sending: Sending): Promise<Uint8Array> {
  try {
    return await readAll(request, sending);
  } catch (error) {
    throw isDomainError(error) ? error : malformed("The connection closed before the body ended.");
  }
}

async function readAll(request: Request, { limits, sender }: Sending): Promise<Uint8Array> {
  const declared = request.headers.get("content-length");
  if (declared !== null) {
    requireSize(Number(declared), limits);
    if (!isLong(Number(declared))) {
      // The server reads no more than the declared length, and a stream costs several times as much
      // as reading the whole body.
      return new Uint8Array(await request.arrayBuffer());
    }
  }
  const { body } = request;
  return body
    ? longBodies.hold(sender, (room) => readLimited(body, room, limits))
    : Buffer.alloc(0);
}

/**
 * Reads a JSON object and rejects anything that two parsers could interpret differently: bytes that
 * are not UTF-8, duplicate members, NUL, lone surrogates. Numbers that are not written as plain
 * integers are errors of their members. An empty body reads as `{}`.
 * @throws DomainError `request_malformed`, `content_type_unsupported`.
 */
export async function readJson(
  bytes: Uint8Array,
  headers: Headers,
  reading: Reading,
): Promise<JsonBody> {
  if (bytes.length === 0) {
    return { text: "", value: {}, errors: {} };
  }
  requireJsonType(headers.get("content-type"));
  requirePlain(headers.get("content-encoding"));
  const text = decode(bytes);
  const value = parse(text);
  if (typeof value === "string") {
    throw malformed(
      "The body must be a JSON object; this is text. Serialize the object only once.",
    );
  }
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    throw malformed("The body must be a JSON object.");
  }
  return { text, value, errors: Object.fromEntries(await readErrors(text, reading)) };
}

/** @throws DomainError `content_type_unsupported`. */
export function requireJsonType(type: string | null): void {
  if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;\s*charset="?utf-8"?\s*)?$/iu.test(type ?? "")) {
    throw new DomainError(
      "content_type_unsupported",
      "A body must be sent with Content-Type: application/json, in UTF-8.",
    );
  }
}

/** Skips a byte order mark, which Windows writes into files. */
const decoder = new TextDecoder("utf-8", { fatal: true });

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw malformed(toEncodingFault(bytes));
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed(toJsonFault(text));
  }
}

/** A string, a number, or a structural character except `:`, in text already known to be valid JSON. */
const TOKEN = /"(?:[^"\\]|\\.)*"|-?[0-9][-+.0-9eE]*|[[\]{},]/gu;
const PLAIN_INTEGER = /^(?:0|-?[1-9][0-9]*)$/u;

interface Level {
  /** The members seen so far in an object; null in an array. */
  names: Set<string> | null;
  expectsName: boolean;
  name: string;
}

type Errors = Map<string, [string]>;

/**
 * The errors of single members. Walks the tokens without recursion, because the sender chooses the depth.
 * @throws DomainError `request_malformed` for errors of the body as a whole.
 */
async function readErrors(text: string, { takesAnyText, limits }: Reading): Promise<Errors> {
  const levels: Level[] = [];
  const errors: Errors = new Map();
  let members = 0;
  let tokens = 0;
  for (const [token] of text.matchAll(TOKEN)) {
    tokens += 1;
    if (tokens % TURN_TOKENS === 0) {
      await setImmediate();
    }
    if (token === "{" || token === "[") {
      open(token, levels);
    } else if (token === "}" || token === "]") {
      levels.pop();
    } else if (token === ",") {
      members += 1;
      requireMembers(members, limits);
      separate(levels);
    } else {
      takeValue(token, { levels, errors, takesAnyText });
    }
  }
  return errors;
}

function open(token: "{" | "[", levels: Level[]): void {
  if (levels.length >= DEPTH_MAX) {
    throw malformed(`The body is nested more than ${DEPTH_MAX} levels deep.`);
  }
  const isObject = token === "{";
  levels.push({ names: isObject ? new Set() : null, expectsName: isObject, name: "" });
}

function requireMembers(separated: number, limits: BodyLimits): void {
  if (separated >= limits.members) {
    throw malformed(`The body has more than ${limits.members} members.`);
  }
}

function separate(levels: readonly Level[]): void {
  const level = levels.at(-1);
  if (level) {
    level.expectsName = level.names !== null;
  }
}

function takeValue(
  token: string,
  {
    levels,
    errors,
    takesAnyText,
  }: { levels: readonly Level[]; errors: Errors; takesAnyText: boolean },
): void {
  const level = levels.at(-1);
  if (!token.startsWith('"')) {
    requirePlainInteger(token, levels, errors);
    return;
  }
  const content: string = token.includes("\\") ? JSON.parse(token) : token.slice(1, -1);
  if (!takesAnyText || level?.expectsName) {
    requireStorable(content, levels);
  }
  if (level?.names && level.expectsName) {
    if (level.names.has(content)) {
      throw malformed(`The member "${toPrintableName(content)}" appears twice.`);
    }
    level.names.add(content);
    level.name = content;
    level.expectsName = false;
    requireOrdinaryName(levels, errors);
  }
}

function requireStorable(content: string, levels: readonly Level[]): void {
  if (content.includes("\0") || !content.isWellFormed()) {
    const where = toMember(levels) || content.slice(0, 50);
    throw malformed(
      `The member "${toPrintableName(where)}" contains a character that cannot be stored.`,
    );
  }
}

/** Many JSON parsers take this name for an object's prototype and drop the member. */
function requireOrdinaryName(levels: readonly Level[], errors: Errors): void {
  if (levels.at(-1)?.name === "__proto__") {
    errors.set(toPrintableName(toMember(levels)), ["This field is not allowed here."]);
  }
}

function requirePlainInteger(token: string, levels: readonly Level[], errors: Errors): void {
  if (PLAIN_INTEGER.test(token) && Number.isSafeInteger(Number(token))) {
    return;
  }
  const name = levels.at(-1)?.name ?? "";
  const sentence = AMOUNT_MEMBERS.has(name)
    ? MINOR_UNITS
    : "This field must be a whole number, written in digits only.";
  errors.set(toPrintableName(toMember(levels)) || "body", [sentence]);
}

function toMember(levels: readonly Level[]): string {
  return levels
    .map(({ name }) => name)
    .filter((name) => name !== "")
    .join(".");
}

function malformed(detail: string): DomainError {
  return new DomainError("request_malformed", detail);
}

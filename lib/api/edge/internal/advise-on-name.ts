import { z } from "zod";
import { COMMON_PARAMETERS } from "#lib/api/contract/header-parameters.ts";
import { findNearest, toPlain } from "#lib/api/edge/internal/nearest.ts";
import { toGuess } from "#lib/api/edge/internal/near-miss.ts";
import { OPERATIONS } from "#lib/operations/operations.ts";
import type { Operation } from "#lib/operations/operation.ts";
import { toLayers } from "#lib/base/log-safe.ts";

/** A member or parameter that is not allowed where it stands. */
interface Misplaced {
  name: string;
  value: unknown;
  /** Whether it is within a member. */
  isNested: boolean;
  /** The names that are allowed there, and those that were sent. */
  allowed: readonly string[];
  sent: readonly string[];
  part: "query" | "body";
  operation: Operation | undefined;
}

/**
 * What other APIs call a parameter of ours, where its spelling does not resemble ours. The first allowed one is
 * meant.
 */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  starting_after: ["cursor", "after"],
  page: ["cursor", "after"],
  page_token: ["cursor", "after"],
  offset: ["cursor", "after"],
  per_page: ["limit"],
  page_size: ["limit"],
  count: ["limit"],
  sort: ["order"],
  customer: ["user_id"],
  cardholder: ["user_id"],
  cardholder_id: ["user_id"],
  since: ["from"],
  created_after: ["from"],
  start_date: ["from"],
  until: ["to"],
  created_before: ["to"],
  end_date: ["to"],
  q: ["search"],
  query: ["search"],
  value: ["amount"],
};

const all: readonly Operation[] = OPERATIONS;

/** Says where the member belongs, or else what is allowed, with the name that was probably meant. */
export function adviseOnName(misplaced: Misplaced): string {
  const { allowed, isNested, part } = misplaced;
  const place = isNested ? null : findPlace(misplaced);
  if (place !== null) {
    return place;
  }
  const meant = findMeant(misplaced);
  const unit = part === "query" ? "query parameters" : "members";
  const list = allowed.length > 0 ? `Allowed: ${allowed.join(", ")}.` : `No ${unit} are allowed.`;
  return meant ? `Did you mean ${meant}? ${list}` : list;
}

function findMeant({ name, allowed, sent }: Misplaced): string | undefined {
  const free = allowed.filter((each) => !sent.includes(each));
  const known = Object.hasOwn(SYNONYMS, name) ? SYNONYMS[name] : undefined;
  return known?.find((each) => free.includes(each)) ?? findNearest(name, free);
}

function findPlace(misplaced: Misplaced): string | null {
  return (
    findExact(misplaced) ??
    findHeader(misplaced) ??
    findOtherPart(misplaced) ??
    findInPath(misplaced) ??
    findOperation(misplaced)
  );
}

function findExact({ name, allowed }: Misplaced): string | null {
  const same = allowed.find((each) => toPlain(each) === toPlain(name));
  return same === undefined ? null : `Did you mean ${same}?`;
}

function findHeader({ name }: Misplaced): string | null {
  const header = Object.values(COMMON_PARAMETERS).find(
    (each) => toPlain(each.name) === toPlain(name),
  );
  return header ? `Send it as the header ${header.name}.` : null;
}

function findOtherPart({ name, part, operation }: Misplaced): string | null {
  const other = part === "query" ? operation?.body : operation?.query;
  const same = other && toNames(other).find((each) => toPlain(each) === toPlain(name));
  if (!same) {
    return null;
  }
  return part === "query"
    ? `Send ${same} in the body, as JSON.`
    : `Send ${same} in the query: ?${same}=…`;
}

function findInPath({ name, operation }: Misplaced): string | null {
  const noun = operation?.notFound?.replace(/_not_found$/u, "_id");
  const isId = noun !== undefined && [toPlain(noun), "id"].includes(toPlain(name));
  return isId ? "The path names it: leave it out here." : null;
}

/**
 * The operation below this one that has the member with this value in an example's answer, or that takes the member.
 */
function findOperation({ name, value, part, operation }: Misplaced): string | null {
  if (!operation || part === "query") {
    return null;
  }
  const below = all
    .filter(({ kind, path }) => kind !== "read" && path.startsWith(`${operation.path}/`))
    .toSorted((a, b) => Number(isAbout(b, name)) - Number(isAbout(a, name)));
  const meant =
    below.find((other) => other.examples.some(({ answer }) => hasValue(answer, name, value))) ??
    below.find(({ body }) => body && toNames(body).includes(name));
  return meant ? toGuess(meant) : null;
}

/**
 * Whether an operation's body has the member, or one that refers to it: with `status_version`, it changes the status.
 */
function isAbout({ body }: Operation, name: string): boolean {
  return body !== null && toNames(body).some((each) => each.startsWith(name));
}

function hasValue(answer: unknown, name: string, value: unknown): boolean {
  const { data, ...own } = Object(answer);
  return [own, Object(data)].some(
    (object) => Object.hasOwn(object, name) && object[name] === value,
  );
}

function toNames(schema: z.core.$ZodType): string[] {
  return toLayers(schema).flatMap((layer) =>
    layer instanceof z.ZodObject ? Object.keys(layer.shape) : [],
  );
}

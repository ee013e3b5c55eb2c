import type { z } from "zod";
import type { Member } from "#lib/base/actor.ts";
import type { Input } from "#lib/api/edge/read-input.ts";
import type { RequestContext } from "#lib/api/edge/internal/request-context.ts";
import { toCsvAnswer } from "#lib/api/export/csv.ts";
import type { CsvTable } from "#lib/api/export/csv.ts";
import { toAnswer } from "#lib/api/wire/answer.ts";
import type { Answer, Reply, StreamedAnswer } from "#lib/api/wire/answer.ts";
import { withEntityTag } from "#lib/api/wire/entity-tag.ts";
import type { Operation } from "#lib/operations/operation.ts";
import { getAccount } from "#lib/integrators/integrators.ts";
import type { ReadContext } from "#lib/base/context.ts";
import { readMoment } from "#lib/base/moment.ts";
import { readFor, readOnceFor, readTogetherFor } from "#db/reads.ts";

/** An admitted request with valid input. */
export interface Call<Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType> {
  operation: Operation<Q, B, A>;
  context: RequestContext;
  actor: Member;
  input: Input<Q, B>;
}

export type ReadWork<Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType> =
  /** Reads with a single statement, which costs a third of the round trips. */
  | { read: (ctx: ReadContext, input: Input<Q, B>) => Promise<Reply<NoInfer<A>>> }
  /** Reads with any number of statements, in one snapshot. */
  | { snapshot: (ctx: ReadContext, input: Input<Q, B>) => Promise<Reply<NoInfer<A>>> }
  /** Reads with several statements, each in a snapshot of its own. */
  | { reads: (read: Read, input: Input<Q, B>, reader: Reader) => Promise<Reply<NoInfer<A>>> };

/** Reads with one statement on behalf of the caller. */
type Read = <T>(read: (ctx: ReadContext) => Promise<T>) => Promise<T>;

/** Who reads, and the request itself, whose signal aborts when its client is gone. */
interface Reader {
  actor: Member;
  request: Request;
  /** Leaves this time, in milliseconds, out of the durations in Health: the caller asked to wait. */
  onWaited: (ms: number) => void;
}

export async function read<Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
  call: Call<Q, B, A>,
  work: ReadWork<Q, B, A>,
): Promise<Answer> {
  const { operation, context } = call;
  const answer = toAnswer(operation, await toReply(call, work));
  return operation.tagged
    ? withEntityTag(answer, context.request.headers.get("if-none-match"))
    : answer;
}

function toReply<Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
  { operation, context, actor, input }: Call<Q, B, A>,
  work: ReadWork<Q, B, A>,
): Promise<Reply<A>> {
  if ("snapshot" in work) {
    return readFor(actor.integratorId, (db) => work.snapshot({ db, actor }, input));
  }
  // If the client filters or sends a long request, a read may look at many rows, so it gets its own connection.
  const readWith = isFiltered(context.url) || operation.large ? readOnceFor : readTogetherFor;
  const readOne: Read = (one) => readWith(actor.integratorId, (db) => one({ db, actor }));
  if ("read" in work) {
    return readOne((ctx) => work.read(ctx, input));
  }
  const onWaited = (ms: number) => {
    context.waitedMs += ms;
  };
  return work.reads(readOne, input, { actor, request: context.request, onWaited });
}

/** Query parameters that select a page, or wait for one, without filtering. */
const PAGE_PARAMETERS = new Set(["limit", "cursor", "after", "wait"]);

function isFiltered({ searchParams }: URL): boolean {
  return searchParams.keys().some((name) => !PAGE_PARAMETERS.has(name));
}

/** A CSV file of any size. */
export interface ExportWork<Q extends z.ZodType, B extends z.ZodType> {
  toTable: (input: Input<Q, B>, reader: TableReader) => CsvTable;
}

/** Who reads a table, and when. */
export interface TableReader {
  actor: Member;
  /** The account's time zone. */
  timeZone: string;
  currency: string;
  /** By the database's clock. */
  now: Date;
}

/** Reads page by page, as fast as the client takes them. The first page is read before the response starts. */
export async function sendTable<Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
  { actor, input }: Call<Q, B, A>,
  { toTable }: ExportWork<Q, B>,
): Promise<StreamedAnswer> {
  const [{ timeZone, currency, businessName }, { at: now }] = await readFor(
    actor.integratorId,
    (db) => Promise.all([getAccount({ db, actor }), readMoment(db)]),
  );
  const table = toTable(input, { actor, timeZone, currency, now });
  return toCsvAnswer({
    ...table,
    timeZone,
    businessName,
    readPage: (cursor) =>
      readFor(actor.integratorId, (db) => table.readPage({ db, actor }, cursor)),
  });
}

import { readDocument } from "./document.ts";
import { toExample } from "./example.ts";
import { toMember, toMembers, toParameter } from "./members.ts";
import type { Member } from "./members.ts";
import type { DocumentedOperation, JsonSchema } from "./schema.ts";
import type { Operation } from "#lib/operations/operation.ts";
import { OPERATIONS } from "#lib/operations/operations.ts";

/** An operation in a list: its name and its page. */
export interface OperationName {
  id: string;
  method: string;
  path: string;
  name: string;
}

/** Operations with the same subject. */
export interface OperationGroup {
  name: string;
  operations: readonly OperationName[];
}

/** An operation, as its page shows it. */
export interface ReferenceOperation extends OperationName {
  group: string;
  /** What it does, in one sentence. */
  summary: string;
  /** What else the document says about it. */
  description: string | null;
  parameters: { path: Member[]; query: Member[]; header: Member[] };
  body: { isRequired: boolean; members: Member[] } | null;
  answer: { status: number; mediaType: string; type: string; members: Member[]; example: unknown };
  /** An example of the body; undefined if it takes none. */
  example: unknown;
  /** Its declaration. */
  contract: Operation;
}

const all: readonly Operation[] = OPERATIONS;

/** Every operation, grouped by noun. */
export function listOperations(): readonly OperationGroup[] {
  const groups = Map.groupBy(all, toGroupOf);
  return [...groups].map(([name, operations]) => ({ name, operations: operations.map(toName) }));
}

/** The operation that a guide names by its method and path; undefined for any other text. */
export function findOperationAt(method: string, path: string): Operation | undefined {
  return all.find((each) => each.method === method && toShape(each.path) === toShape(path));
}

/** A path without the name of its parameter, which guides choose freely, as in `{user_id}`. */
function toShape(path: string): string {
  return path.replace(/\{\w+\}/u, "{}");
}

/** An operation with everything that is known about it; undefined for an unknown id. */
export function findOperation(id: string): ReferenceOperation | undefined {
  const contract = all.find((each) => each.id === id);
  return contract && toReference(contract, documented(contract));
}

function toReference(contract: Operation, operation: DocumentedOperation): ReferenceOperation {
  const { schemas } = readDocument();
  const nested = (schema: JsonSchema) => toMembers(schema, schemas);
  const listed = (place: string) =>
    operation.parameters
      .filter((parameter) => parameter.in === place)
      .map((parameter) => toParameter(parameter, schemas));
  const body = operation.requestBody?.content["application/json"];
  return {
    ...toName(contract),
    group: toGroupOf(contract),
    summary: toSentence(operation.summary),
    description: operation.description ?? null,
    parameters: { path: listed("path"), query: listed("query"), header: listed("header") },
    body: body?.schema
      ? { isRequired: operation.requestBody?.required ?? false, members: nested(body.schema) }
      : null,
    answer: toAnswer(contract, operation, nested),
    example: body && toExample(body),
    contract,
  };
}

function toAnswer(
  { status }: Operation,
  { responses }: DocumentedOperation,
  toNested: (schema: JsonSchema) => Member[],
) {
  const [mediaType = "application/json", { schema = {}, ...given } = {}] =
    Object.entries(responses[status]?.content ?? {})[0] ?? [];
  return {
    status,
    mediaType,
    type: toMember({ name: "", isRequired: true }, schema, () => []).type,
    members: toNested(schema),
    example: toExample(given),
  };
}

function documented({ id }: Operation): DocumentedOperation {
  const operation = readDocument().operations.get(id);
  if (!operation) {
    throw new Error(`The OpenAPI document lacks ${id}.`);
  }
  return operation;
}

function toGroupOf(contract: Operation): string {
  return documented(contract).tags[0] ?? "";
}

function toName(contract: Operation): OperationName {
  const { id, method, path } = contract;
  return { id, method, path, name: toShortName(documented(contract).summary) };
}

/** The first clause of a summary: "Freeze a card: every later …" is "Freeze a card". */
function toShortName(summary: string): string {
  return summary.split(/[:;,.](?:\s|$)/u, 1)[0] ?? summary;
}

function toSentence(summary: string): string {
  return /[.!?]$/u.test(summary) ? summary : `${summary}.`;
}

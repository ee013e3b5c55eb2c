import { capitalize } from "#lib/base/capitalize.ts";
import type { Operation } from "#lib/operations/operation.ts";
import { findPaging, toClientName } from "#lib/api/client-package/internal/operation-names.ts";
import { declareEvents } from "#lib/api/client-package/internal/declare-events.ts";
import { toComment, toObjectText, toTypeText } from "#lib/api/client-package/internal/type-text.ts";
import type { Schema } from "#lib/api/client-package/internal/type-text.ts";
import type { Document, PathItem } from "#lib/api/client-package/internal/document.ts";
import { ERROR_CODES } from "#lib/base/error-codes.ts";
import type { ErrorCode } from "#lib/base/error-codes.ts";
import { declaredErrors } from "#lib/operations/refusals.ts";

const HEAD = `import type { Call, CallOptions, ChangeOptions, Download, OneOrMore, Pages } from "./index.cjs";
`;

/** What the library says of a change that waits. The server's answer is no refusal. */
const WAITING = `"waiting_for_approval"`;

/** The declarations of everything in the contract that a client sends and receives: `contract.d.cts`. */
export function declareContract(document: Document, operations: readonly Operation[]): string {
  const declared = operations.map((operation) => toDeclared(document, operation));
  const own = [
    declareEvents(document),
    ...declared.flatMap(({ inputs }) => inputs),
    ...toNouns(declared),
  ].join("");
  return [
    HEAD,
    `export type ErrorCode = ${[...codesOf(operations), WAITING].join(" | ")};\n`,
    ...toResources(document, own),
    own,
  ].join("");
}

/** What the operations may be refused with, and what the server answers before it knows the operation. */
function codesOf(operations: readonly Operation[]): string[] {
  const declared = new Set(operations.flatMap((operation) => [...declaredErrors(operation)]));
  return ERROR_CODES.filter((code) => declared.has(code) || UNDECLARED.has(code)).map((code) =>
    JSON.stringify(code),
  );
}

const UNDECLARED: ReadonlySet<ErrorCode> = new Set([
  "path_unknown",
  "method_not_allowed",
  "request_timeout",
  "headers_too_large",
]);

/** The resources that a text refers to, and those that they refer to. */
function toResources({ components }: Document, text: string): string[] {
  const left = new Map(Object.entries(components.schemas));
  left.delete("Event");
  const found: string[] = [];
  const queue = [text];
  for (const each of queue) {
    for (const [name] of each.matchAll(/\b[A-Z]\w+/gu)) {
      const schema = left.get(name);
      if (schema && left.delete(name)) {
        found.push(toNamedType(name, schema));
        queue.push(found.at(-1) ?? "");
      }
    }
  }
  return found;
}

/** The names of an operation's query parameters. */
export function queryOf(document: Document, { path, method }: Operation): string[] {
  return parametersOf(document, path, method).map(({ name }) => name);
}

function toNamedType(name: string, schema: Schema): string {
  const comment = toComment(schema.description);
  if (!schema.properties) {
    return `${comment}export type ${name} = ${toTypeText(schema)};\n`;
  }
  return `${comment}export interface ${name} ${toObjectText(schema)}\n`;
}

interface Declared {
  noun: string;
  /** The method, as a member of its noun's interface. */
  text: string;
  /** The named type of its body or query. */
  inputs: string[];
}

function toDeclared(document: Document, operation: Operation): Declared {
  const [noun = "", method = ""] = toClientName(operation).split(".");
  const input = toInputType(document, operation);
  const answer = toAnswerType(document, operation);
  const given = [
    ...(operation.path.includes("{") ? ["id: string"] : []),
    ...(input ? [`${input.member}${input.isOptional ? "?" : ""}: ${input.name}`] : []),
    `options?: ${operation.method === "GET" ? "CallOptions" : "ChangeOptions"}`,
  ];
  return {
    noun,
    text: `${toDoc(operation)}${method}(${given.join(", ")}): ${answer};\n`,
    inputs: input ? [input.text] : [],
  };
}

function toDoc({ summary, deprecation }: Operation): string {
  const deprecated = deprecation ? ` @deprecated Use \`${deprecation.successor}\`.` : "";
  return toComment(`${summary}.${deprecated}`);
}

interface InputType {
  member: "body" | "query";
  name: string;
  isOptional: boolean;
  text: string;
}

function toInputType(document: Document, operation: Operation): InputType | undefined {
  const { requestBody } = itemOf(document, operation.path, operation.method);
  if (requestBody) {
    const name = `${capitalize(operation.id)}Body`;
    const { schema = {} } = requestBody.content["application/json"] ?? {};
    const isOptional = requestBody.required !== true;
    return { member: "body", name, isOptional, text: toNamedType(name, schema) };
  }
  const parameters = parametersOf(document, operation.path, operation.method);
  if (parameters.length === 0) {
    return undefined;
  }
  const name = `${capitalize(operation.id)}Query`;
  const properties = Object.fromEntries(
    parameters.map(({ name: member, schema, description = schema.description }) => [
      member,
      { ...toQuerySchema(schema), ...(description ? { description } : {}) },
    ]),
  );
  const text = toNamedType(name, { type: "object", properties });
  return { member: "query", name, isOptional: true, text };
}

/** A filter by several values takes a single one as well. */
function toQuerySchema({ items, ...schema }: Schema): Schema {
  return items ? { oneOrMore: items } : schema;
}

function toAnswerType(document: Document, operation: Operation): string {
  const { responses } = itemOf(document, operation.path, operation.method);
  const { "application/json": json } = responses[String(operation.status)]?.content ?? {};
  if (!json) {
    return "Download";
  }
  const answer = toTypeText(json.schema).replaceAll("\n", " ");
  return findPaging(queryOf(document, operation))
    ? `Pages<${toRowType(json.schema)}, ${answer}>`
    : `Call<${answer}>`;
}

function toRowType({ items, properties }: Schema): string {
  return toTypeText(items ?? properties?.["data"]?.items ?? {});
}

function toNouns(declared: readonly Declared[]): string[] {
  const byNoun = Object.entries(Object.groupBy(declared, ({ noun }) => noun));
  const nouns = byNoun.map(
    ([noun, methods = []]) =>
      `export interface ${toNounType(noun)} {\n${methods.map(({ text }) => text).join("")}}\n`,
  );
  const members = byNoun.map(([noun]) => `readonly ${noun}: ${toNounType(noun)};\n`);
  return [...nouns, `export interface Nouns {\n${members.join("")}}\n`];
}

function toNounType(noun: string): string {
  return `${capitalize(noun)}Operations`;
}

function parametersOf(document: Document, path: string, method: string) {
  const { parameters = [] } = itemOf(document, path, method);
  return parameters.filter((each) => each.in === "query");
}

function itemOf(document: Document, path: string, method: string): PathItem {
  const item = document.paths[path]?.[method.toLowerCase()];
  if (!item) {
    throw new Error(`The OpenAPI document lacks ${method} ${path}.`);
  }
  return item;
}

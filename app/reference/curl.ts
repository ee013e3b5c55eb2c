import { toShellWord } from "../ui/shell-word.ts";
import type { ReferenceOperation } from "./reference.ts";
import { toClientCall } from "#lib/api/client-package/client-call.ts";
import { takesIdempotencyKey } from "#lib/operations/refusals.ts";
import { STAFF_ID_HEADER } from "#lib/base/page-person.ts";

/** A call of an operation in one language. */
export interface CodeExample {
  language: string;
  text: string;
}

/** How to call an operation, in every language that has an example. */
export function toCodeExamples(operation: ReferenceOperation, baseUrl: string): CodeExample[] {
  const withClient = toClientCall(operation.contract, operation.example);
  return [
    { language: "curl", text: toCurl(operation, baseUrl) },
    ...(withClient === null ? [] : [{ language: "TypeScript", text: withClient }]),
  ];
}

/** Credentials and ids are shell variables: they are set once, and never appear in a document. */
function toCurl({ contract, example }: ReferenceOperation, baseUrl: string): string {
  const { method, path, kind } = contract;
  const url = `${baseUrl}${path.replace("{id}", `$${toVariable(contract)}`).replace("{key}", "$IDEMPOTENCY_KEY")}`;
  const lines = [
    `curl${method === "GET" ? "" : ` -X ${method}`}`,
    `"${url}"`,
    ...(kind === "public" ? [] : toCredential(contract)),
    ...(takesIdempotencyKey(contract) ? [`-H "Idempotency-Key: $(uuidgen)"`] : []),
    ...(example === undefined
      ? []
      : [`-H "Content-Type: application/json"`, `-d ${toShellWord(JSON.stringify(example))}`]),
  ];
  return lines.join(" \\\n  ");
}

function toCredential({ kind, staffOnly }: ReferenceOperation["contract"]): string[] {
  if (staffOnly) {
    return [`-H "Cookie: $SESSION_COOKIE"`, `-H "${STAFF_ID_HEADER}: $OWN_STAFF_ID"`];
  }
  return [`-H "Authorization: Bearer ${kind === "processor" ? "$PROCESSOR_KEY" : "$API_KEY"}"`];
}

/** `$CARD_ID` for a card's id. */
function toVariable({ notFound }: ReferenceOperation["contract"]): string {
  return `${(notFound ?? "").replace("_not_found", "").toUpperCase()}_ID`;
}

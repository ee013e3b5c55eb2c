import { toShellWord } from "../../../../ui/shell-word.ts";
import type { DetailedRequest } from "#lib/record/request-log.ts";

/**
 * The request as a command for a POSIX shell. The API key is a variable, so that it stays out of the shell's history,
 * and the idempotency key is new: with the old one, the server would repeat its first answer.
 * @param body the JSON text to send; null for none.
 */
export function toCurl(
  { method, path, apiVersion, idempotencyKey }: DetailedRequest,
  { origin, body }: { origin: string; body: string | null },
): string {
  return [
    `curl -X ${method} ${toShellWord(`${origin}${path}`)}`,
    `-H "Authorization: Bearer $API_KEY"`,
    ...(apiVersion === null ? [] : [`-H ${toShellWord(`Api-Version: ${apiVersion}`)}`]),
    ...(idempotencyKey === null ? [] : [`-H "Idempotency-Key: $(uuidgen)"`]),
    ...(body === null ? [] : [`-H 'Content-Type: application/json'`, `-d ${toShellWord(body)}`]),
  ].join(" \\\n  ");
}

import { say } from "#lib/sentences/say.ts";
import { toAttempt } from "#lib/operations/attempt.ts";
import type { Sentence } from "#lib/sentences/say.ts";
import type { EventFormatter } from "#lib/sentences/event-formatter.ts";
import { toRefusedOperation } from "#lib/record/audit-actions.ts";

/** An attempt of staff that was refused, and why: `Mo Viewer tried to freeze Ada Winter •••• 5651. Refused: …` */
export function formatRefusal(action: string, formatter: EventFormatter): Sentence {
  const { who, subject } = formatter;
  const attempt = toAttempt(toRefusedOperation(action)) ?? `make a request (${action})`;
  const [words = "", after] = attempt.split("{card}");
  const what = after === undefined ? say`${words}` : say`${words}${toCard(subject)}${after}`;
  return say`${who} tried to ${what}. Refused: ${toReason(formatter)}`;
}

/** `a card`, unless the request named a card that exists. */
function toCard(subject: EventFormatter["subject"]) {
  return typeof subject !== "string" && subject.href.startsWith("/cards/") ? subject : "a card";
}

function toReason(formatter: EventFormatter): string {
  const code = formatter.text("code");
  if (code === "scope_missing" || code === "role_insufficient") {
    return "their role doesn't allow it";
  }
  return formatter.text("detail") || code;
}

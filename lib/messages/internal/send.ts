import type { MailSettings } from "#lib/base/mail-settings.ts";
import { toPrintable } from "#lib/base/printable.ts";
import type { Framed } from "#lib/messages/internal/frame.ts";
import { toTransport } from "#lib/messages/internal/transport.ts";
import { timeLimit } from "#db/time-limits.ts";

/**
 * The result of an attempt. `unreachable`: the server did not answer in full, or refused us rather than the message;
 * `deferred`: it asks to try again; `refused`: it will never accept this message.
 */
export type Sent =
  | { failure: null }
  | { failure: "unreachable" | "deferred" | "refused"; answer: string };

const ANSWER_MAX = 500;
const REFUSED_FROM = 500;
const DEFERRED_FROM = 400;

/** Errors about a message's recipient or text. All other errors are about us or the connection. */
const ABOUT_MESSAGE: ReadonlySet<unknown> = new Set(["EENVELOPE", "EMESSAGE"]);

/** Sends one message once. Its `Message-ID` is the same at every attempt, so that mailboxes recognize a repeat. */
export async function sendMail(
  { smtpUrl, from }: MailSettings,
  message: Framed & { id: string; to: string; aboutId: string | null },
  stop: AbortSignal,
): Promise<Sent> {
  const transport = toTransport(smtpUrl);
  const { id, to, aboutId, subject, text, html } = message;
  try {
    await transport.sendMail({
      subject,
      text,
      html,
      messageId: toMessageId(id, from),
      ...(aboutId === null ? {} : { references: toMessageId(aboutId, from) }),
      from: { name: "Floatdeck", address: from },
      to: { name: "", address: to },
      envelope: { from, to: [to] },
      headers: { "Auto-Submitted": "auto-generated" },
      signal: AbortSignal.any([stop, AbortSignal.timeout(timeLimit("mailAttempt"))]),
    });
    return { failure: null };
  } catch (error) {
    return toFailure(error);
  } finally {
    transport.close();
  }
}

/** @param id of the message. */
export function toMessageId(id: string, from: string): string {
  return `<${id}@${from.slice(from.lastIndexOf("@") + 1)}>`;
}

/** The mail server's answer, or why there was none. */
export function toAnswer(error: unknown): string {
  const { response, message } = Object(error);
  return toPrintable(String(response ?? message ?? error), ANSWER_MAX);
}

function toFailure(error: unknown): Sent {
  const { code, responseCode = 0 } = Object(error);
  const answer = toAnswer(error);
  if (ABOUT_MESSAGE.has(code) && responseCode >= REFUSED_FROM) {
    return { failure: "refused", answer };
  }
  return {
    failure:
      responseCode >= DEFERRED_FROM && responseCode < REFUSED_FROM ? "deferred" : "unreachable",
    answer,
  };
}

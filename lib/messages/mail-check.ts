import type { MailSettings } from "#lib/base/mail-settings.ts";
import { newId } from "#lib/base/ids.ts";
import { toFramed } from "#lib/messages/internal/frame.ts";
import { sendMail, toAnswer } from "#lib/messages/internal/send.ts";
import { requiresTls, toTransport } from "#lib/messages/internal/transport.ts";

/** What a mail server says before it is given a message. */
export interface MailServerAnswer {
  isEncrypted: boolean;
  hasCredentials: boolean;
  /** Why it accepts no messages; null if it accepts them. */
  failure: string | null;
}

/** Connects to the mail server and signs in, without sending anything. */
export async function askMailServer({ smtpUrl }: MailSettings): Promise<MailServerAnswer> {
  const transport = toTransport(smtpUrl);
  const facts = {
    isEncrypted: requiresTls(smtpUrl),
    hasCredentials: new URL(smtpUrl).username !== "",
  };
  try {
    await transport.verify();
    return { ...facts, failure: null };
  } catch (error) {
    return { ...facts, failure: toAnswer(error) };
  } finally {
    transport.close();
  }
}

/**
 * Sends one test message immediately, without retries.
 * @returns why the server did not accept it; null if it did.
 */
export async function sendTestMail(
  mail: MailSettings,
  { to, publicUrl }: { to: string; publicUrl: string },
): Promise<string | null> {
  const written = {
    subject: "Floatdeck can send mail",
    lines: ["Somebody who runs this server sent this message to test its mail."],
    action: { label: "Open the dashboard", path: "/overview" },
  };
  const message = { ...toFramed(written, publicUrl), id: newId(), to, aboutId: null };
  const sent = await sendMail(mail, message, new AbortController().signal);
  return sent.failure === null ? null : sent.answer;
}

import { z } from "zod";
import { readEnv } from "#lib/base/env.ts";
import { sendTestMail } from "#lib/messages/mail-check.ts";
import type { Command } from "./command.ts";

/** The command that sends one message, to test that mail arrives. It needs no database. */
export const MAIL_TEST: Command = {
  words: ["mail", "test"],
  summary: "Send one message, and say what the mail server answered",
  options: { to: { about: "the address to send it to" } },
  run: async (environment, { options }) => {
    const { mail, publicUrl } = readEnv(environment);
    if (!mail) {
      throw new Error("SMTP_URL and MAIL_FROM must be set: there is no mail server to test.");
    }
    const { success, data: to } = z.email().safeParse(options["to"]);
    if (!success) {
      throw new Error("--to must be an email address.");
    }
    const failure = await sendTestMail(mail, { to, publicUrl });
    return {
      ok: failure === null,
      text:
        failure === null
          ? `The mail server took a message to ${to}. Check that it arrives, and not as spam.`
          : `The mail server did not take the message: ${failure}`,
      json: { to, sent: failure === null, failure },
    };
  },
};

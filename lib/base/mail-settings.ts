import { z } from "zod";

/** A mail server, and the address that messages are sent from. */
export interface MailSettings {
  /** Includes the credentials, if the server requires any. */
  smtpUrl: string;
  from: string;
}

/** Marks a variable that may also be given as a file. */
export const IS_SECRET = { isSecret: true };

/** The variables that configure how mail is sent. */
export const MAIL_VARIABLES = {
  SMTP_URL: z
    .url({
      protocol: /^smtps?$/u,
      error:
        "must be an smtp:// or smtps:// URL, for example smtps://user:password@mail.example.com",
    })
    .optional()
    .meta(IS_SECRET),
  MAIL_FROM: z.email("must be an email address, for example cards@example.com").optional(),
};

/**
 * How mail is sent; undefined when it is not.
 * @throws Error in one sentence when only one of the variables is set.
 */
export function toMailSettings({
  SMTP_URL: smtpUrl,
  MAIL_FROM: from,
}: {
  SMTP_URL?: string | undefined;
  MAIL_FROM?: string | undefined;
}): MailSettings | undefined {
  if (smtpUrl && from) {
    return { smtpUrl, from };
  }
  if (smtpUrl || from) {
    throw new Error("SMTP_URL and MAIL_FROM must be set together, or neither of them.");
  }
  return undefined;
}

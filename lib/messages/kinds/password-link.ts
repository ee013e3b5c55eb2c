import { message } from "#lib/messages/internal/message.ts";

export const passwordLink = message<{
  /** Who created the link; null if the person asked for it. */
  madeBy: string | null;
  hours: number;
  path: string;
}>({
  kind: "password.link",
  name: "Password link",
  to: ["person"],
  topic: null,
  write: ({ businessName, madeBy, hours, path }) => ({
    subject: "Choose a new password",
    lines: [
      madeBy === null
        ? `You asked for a new password for your account at ${businessName}.`
        : `${madeBy} created a link with which you choose a new password for your account at ${businessName}.`,
      `The link works once, within ${hours === 1 ? "an hour" : `${hours} hours`}. Your password stays as it is until then. If you don't want a new one, ignore this message.`,
    ],
    action: { label: "Choose a new password", path },
  }),
});

import type { StaffIdentity } from "#lib/base/actor.ts";
import { message } from "#lib/messages/internal/message.ts";

export const staffInvited = message<{
  invitedBy: string;
  role: StaffIdentity["role"];
  days: number;
  path: string;
}>({
  kind: "staff.invited",
  name: "Invitation",
  to: ["person"],
  topic: null,
  write: ({ businessName, invitedBy, role, days, path }) => ({
    subject: `Join ${businessName} on Floatdeck`,
    lines: [
      `${invitedBy} invites you to the staff of ${businessName} as ${role === "viewer" ? "a" : "an"} ${role}.`,
      `The link works once, and for ${days} days. If you don't know ${businessName}, ignore this message.`,
    ],
    action: { label: "Accept the invitation", path },
  }),
});

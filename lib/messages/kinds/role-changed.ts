import type { StaffIdentity } from "#lib/base/actor.ts";
import { message } from "#lib/messages/internal/message.ts";

type Role = StaffIdentity["role"];

export const roleChanged = message<{ name: string; by: string; from: Role; role: Role }>({
  kind: "role.changed",
  name: "Role changed",
  to: ["person", "owner"],
  topic: null,
  write: ({ businessName, name, by, from, role }) => ({
    subject: `${name} is now ${role} at ${businessName}`,
    lines: [
      `${by} changed the role of ${name} at ${businessName} from ${from} to ${role}.`,
      "If you don't expect this, ask an owner of the account.",
    ],
    action: { label: "Open the dashboard", path: "/settings/staff" },
  }),
});

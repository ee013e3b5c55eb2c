import { id, membersOf } from "#lib/events/internal/members.ts";

export const AFFECTED_USER = membersOf({ user_id: id }, "AffectedUser");

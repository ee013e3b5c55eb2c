import { z } from "zod";
import { id } from "#lib/api/contract/event-members.ts";

export const AFFECTED_USER = z.strictObject({ user_id: id }).meta({ id: "AffectedUser" });

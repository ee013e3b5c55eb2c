import { sql } from "drizzle-orm";
import { change } from "#test/scene/refusal-cases.ts";
import { send } from "#test/scene/scene.ts";
import { newId } from "#lib/base/ids.ts";
import type { Cases } from "#test/scene/refusal-cases.ts";
import { acceptInvitation } from "#lib/operations/staff/accept-invitation.ts";

export const operation = acceptInvitation;

export const cases: Cases<typeof acceptInvitation> = {
  email_already_registered: async (scene) => {
    const email = `${newId()}@example.com`;
    const invited = await send(scene, "inviteStaff", { body: { email } });
    const [, token] = (invited.json as { link: string }).link.split("#");
    await send(scene, "registerIntegrator", { body: { email } });
    // Whoever only signed up keeps no email from somebody who was invited.
    await change(sql`update integrators set vouched = true where email = ${email}`);
    return send(scene, "acceptInvitation", { body: { token } });
  },
};

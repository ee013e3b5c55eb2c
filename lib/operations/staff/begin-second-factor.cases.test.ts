import { sql } from "drizzle-orm";
import { call } from "#test/scene/api-client.ts";
import { change } from "#test/scene/refusal-cases.ts";
import type { Cases } from "#test/scene/refusal-cases.ts";
import { beginSecondFactor } from "#lib/operations/staff/begin-second-factor.ts";

export const operation = beginSecondFactor;

export const cases: Cases<typeof beginSecondFactor> = {
  second_factor_exists: async (scene) => {
    await change(sql`
      update staff set totp_secret = 'sealed', totp_confirmed_at = clock_timestamp() where id = ${scene.owner.id}`);
    return call("POST /staff/me/second-factor", { headers: scene.owner.headers });
  },
};

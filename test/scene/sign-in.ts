import { sql } from "drizzle-orm";
import { newId } from "#lib/base/ids.ts";
import { toNetwork } from "#lib/base/ip-address.ts";
import { signIn } from "#lib/staff/sign-in.ts";
import type { SignInAttempt, SignInOutcome } from "#lib/staff/sign-in.ts";
import { testDatabase } from "#test/database/database.ts";

/** Signs in as from the form; from an address of its own and a browser nobody knows, unless others are given. */
export function enter({
  address = newId(),
  ...attempt
}: { email: string; password: string; address?: string } & Partial<
  Pick<SignInAttempt, "code" | "browser">
>): Promise<SignInOutcome> {
  const request = { id: newId(), address, agent: "test" };
  return signIn(testDatabase().db, { code: null, browser: null, request, ...attempt });
}

/** Adds failures of a name as of now, all from one address, or each from its own. */
export async function remember(email: string, failures: number, address?: string): Promise<void> {
  for (let failed = 0; failed < failures; failed += 1) {
    await testDatabase().db.execute(sql`
      insert into sign_in_failures (id, name_hash, address)
      values (${newId()}, encode(sha256(${email}::bytea), 'hex'), ${toNetwork(address ?? newId())})`);
  }
}

import type { RequestOrigin } from "#lib/base/context.ts";
import { newBrowser } from "#lib/messages/kinds/new-browser.ts";
import { passwordChanged } from "#lib/messages/kinds/password-changed.ts";
import { secondFactorChanged } from "#lib/messages/kinds/second-factor-changed.ts";
import { tellStaff } from "#lib/messages/tell-staff.ts";
import type { staff } from "#db/schema/staff.ts";
import type { Tx } from "#db/transaction.ts";

/** What a person is told about their own sign-in. */

type Person = Pick<
  typeof staff.$inferSelect,
  "integratorId" | "id" | "firstName" | "lastName" | "signedInAt"
>;

export async function tellPasswordChanged(
  tx: Tx,
  person: Person,
  { address }: RequestOrigin,
): Promise<void> {
  await tellStaff(tx, person.integratorId, {
    kind: passwordChanged,
    facts: { name: toName(person), address },
    personId: person.id,
  });
}

export async function tellSecondFactorChanged(
  tx: Tx,
  person: Person,
  { isOn, request }: { isOn: boolean; request: RequestOrigin },
): Promise<void> {
  await tellStaff(tx, person.integratorId, {
    kind: secondFactorChanged,
    facts: { name: toName(person), address: request.address, isOn },
    personId: person.id,
  });
}

/** Tells a person of a sign-in with a new browser, except the first, which follows their invitation or registration. */
export async function tellNewBrowser(
  tx: Tx,
  person: Person,
  { address }: RequestOrigin,
): Promise<void> {
  if (person.signedInAt !== null) {
    await tellStaff(tx, person.integratorId, {
      kind: newBrowser,
      facts: { name: toName(person), address },
      personId: person.id,
    });
  }
}

function toName({ firstName, lastName }: Person): string {
  return `${firstName} ${lastName}`;
}

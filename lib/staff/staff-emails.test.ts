import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { testDatabase } from "#test/database/database.ts";
import { newIntegrator, newOrigin } from "#test/scene/fixtures.ts";
import { enter as enterWith } from "#test/scene/sign-in.ts";
import { signUp, STRANGER_PASSWORD } from "#test/scene/sign-up.ts";
import { PASSWORD } from "#test/scene/people.ts";
import { newStaff, toHeaders } from "#test/scene/staff.ts";
import type { TestStaff } from "#test/scene/staff.ts";
import { accept, askToInvite, toShown } from "#test/scene/staff-links.ts";
import { newId } from "#lib/base/ids.ts";
import { verifyPassword } from "#lib/staff/passwords.ts";
import { vouchForIntegrator } from "#lib/operator/operator.ts";
import { signInVouched } from "#lib/staff/sign-in.ts";
import type { SignInOutcome } from "#lib/staff/sign-in.ts";
import { inTransaction } from "#db/transaction.ts";

vi.mock("#lib/staff/passwords.ts", { spy: true });

/**
 * A stranger signs up publicly with the email of Ada, whom one of the operator's integrators invites later.
 */
const TAKEN = { status: 400, json: { code: "email_already_registered" } };

let email: string;

beforeEach(() => {
  email = `${newId()}@corp.example`;
});

async function signedUp(as: string, password?: string): Promise<string> {
  const reply = await signUp(as, password);
  expect(reply.status).toBe(201);
  return (reply.json as { data: { id: string } }).data.id;
}

/** Adds Ada to an integrator that the operator created. */
async function joinVouched(): Promise<string> {
  const { id } = await newIntegrator();
  const link = toShown(await askToInvite(await newStaff(id, "owner"), email.toUpperCase()));
  expect((await accept(link)).status).toBe(201);
  return id;
}

function enter(password: string): Promise<SignInOutcome> {
  return enterWith({ email, password });
}

/** The integrator whose account a session opens. */
async function accountOf(token: string | undefined): Promise<unknown> {
  const reply = await call("GET /card-integrators/me", { headers: await toHeaders(token ?? "") });
  return (reply.json as { data?: { id: string } }).data?.id;
}

async function enteredBy(password: string): Promise<unknown> {
  const outcome = await enter(password);
  return outcome.signedIn ? accountOf(outcome.token) : outcome;
}

async function vouchedEntry(): Promise<unknown> {
  const entered = await signInVouched(testDatabase().db, email, {
    request: newOrigin(),
    browser: null,
  });
  return entered && accountOf(entered.token);
}

/** A signed-in owner of an integrator that signed itself up. */
async function strangersOwner(): Promise<TestStaff> {
  return newStaff(await signedUp(email), "owner");
}

function vouch(integratorId: string): Promise<string[]> {
  return inTransaction(testDatabase().db, (tx) =>
    vouchForIntegrator(tx, newOrigin(), integratorId),
  );
}

async function failuresOf(): Promise<number> {
  const rows = await testDatabase().db.execute(sql`
    select 1 from sign_in_failures where name_hash = encode(sha256(${email}::bytea), 'hex')`);
  return rows.length;
}

describe("a person who signed up with another's email", () => {
  test("is not signed in by an identity provider", async () => {
    await signedUp(email);
    expect(await vouchedEntry()).toBeUndefined();
  });

  test("does not prevent an invitation, and each signs in to their own account", async () => {
    const theirs = await signedUp(email);
    const adas = await joinVouched();
    expect(await vouchedEntry()).toBe(adas);
    expect(await enteredBy(PASSWORD)).toBe(adas);
    expect(await enteredBy(STRANGER_PASSWORD)).toBe(theirs);
    expect(await enteredBy("neither's password at all")).toEqual({
      signedIn: false,
      reason: "refused",
    });
  });

  test("with the same password is not admitted before the email's vouched holder", async () => {
    await signedUp(email, PASSWORD);
    const adas = await joinVouched();
    expect(await enteredBy(PASSWORD)).toBe(adas);
  });

  test("cannot get anyone vouched for by inviting them", async () => {
    const stranger = await strangersOwner();
    const victim = `${newId()}@corp.example`;
    expect((await accept(toShown(await askToInvite(stranger, victim)))).status).toBe(201);
    expect(
      await signInVouched(testDatabase().db, victim, { request: newOrigin(), browser: null }),
    ).toBeUndefined();
  });

  test("cannot reset the failure count by signing in", async () => {
    await signedUp(email);
    await joinVouched();
    await enter("a guess at Ada's password");
    await enter("another guess at it, no better");
    expect(await enter(STRANGER_PASSWORD)).toMatchObject({ signedIn: true });
    expect(await failuresOf()).toBe(2);
  });

  test("cannot reset the failure count by confirming their password", async () => {
    await signedUp(email);
    const mine = await enter(STRANGER_PASSWORD);
    const headers = await toHeaders(mine.signedIn ? mine.token : "");
    await joinVouched();
    await enter("a guess at Ada's password");
    const confirmed = await call("POST /staff/me/confirm", {
      headers,
      body: { password: STRANGER_PASSWORD },
    });
    expect(confirmed.status).toBe(200);
    expect(await failuresOf()).toBe(1);
  });

  test("cannot be distinguished by the work of a refusal: two hashes for every email", async () => {
    const hashes: number[] = [];
    for (const hold of [() => undefined, () => signedUp(email), joinVouched]) {
      await hold();
      vi.mocked(verifyPassword).mockClear();
      expect(await enter("nobody's password at all")).toMatchObject({ reason: "refused" });
      hashes.push(vi.mocked(verifyPassword).mock.calls.length);
    }
    expect(hashes).toEqual([2, 2, 2]);
  });

  test("does not see the vouched person's failed sign-ins in their audit log", async () => {
    const theirs = await signedUp(email);
    const adas = await joinVouched();
    await enter("a slip of Ada's fingers");
    const refusals = () =>
      testDatabase().db.execute(sql`
        select integrator_id from audit_log
        where action = 'staff.sign_in_refused' and integrator_id in (${theirs}, ${adas})`);
    await expect.poll(refusals).toEqual([{ integrator_id: adas }]);
  });
});

describe("a registered email", () => {
  test("cannot be used to sign up, even by its owner", async () => {
    await joinVouched();
    expect(await signUp(email)).toMatchObject(TAKEN);
    const other = `${newId()}@corp.example`;
    await signedUp(other);
    expect(await signUp(other.toUpperCase())).toMatchObject(TAKEN);
  });

  test("cannot join an integrator that signed itself up", async () => {
    const stranger = await strangersOwner();
    const known = await newStaff((await newIntegrator()).id, "viewer");
    const invitation = toShown(await askToInvite(stranger, known.email));
    expect(await accept(invitation)).toMatchObject(TAKEN);
  });

  test("can belong to one vouched integrator at a time", async () => {
    await signedUp(email);
    await joinVouched();
    const another = await newStaff((await newIntegrator()).id, "owner");
    expect(await accept(toShown(await askToInvite(another, email)))).toMatchObject(TAKEN);
  });
});

describe("an integrator the operator vouches for", () => {
  test("has its present and future staff signed in by the identity provider", async () => {
    const id = await signedUp(email);
    expect(await vouch(id)).toEqual([email]);
    expect(await vouch(id)).toEqual([email]);
    expect(await vouchedEntry()).toBe(id);
    const invited = `${newId()}@corp.example`;
    await accept(toShown(await askToInvite(await newStaff(id, "owner"), invited)));
    const entered = await signInVouched(testDatabase().db, invited, {
      request: newOrigin(),
      browser: null,
    });
    expect(await accountOf(entered?.token)).toBe(id);
  });

  test("is refused while a vouched person elsewhere has one of its emails", async () => {
    const id = await signedUp(email);
    const adas = await joinVouched();
    await expect(vouch(id)).rejects.toMatchObject({ code: "email_already_registered" });
    expect(await vouchedEntry()).toBe(adas);
  });
});

test("a person's row always matches their integrator's vouched flag", async () => {
  const id = await signedUp(email);
  const { db } = testDatabase();
  await expect(
    db.execute(sql`update staff set email_vouched = true where integrator_id = ${id}`),
  ).rejects.toMatchObject({ cause: { constraint_name: "staff_vouched" } });
});

import { sql } from "drizzle-orm";
import postgres from "postgres";
import { beforeAll, describe, expect, test } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { testDatabase } from "#test/database/database.ts";
import { newIntegrator } from "#test/scene/fixtures.ts";
import { readOutbox, untilTold } from "#test/scene/outbox.ts";
import { PASSWORD } from "#test/scene/people.ts";
import { enter } from "#test/scene/sign-in.ts";
import { newPerson, newStaff } from "#test/scene/staff.ts";
import type { TestStaff } from "#test/scene/staff.ts";
import { makeReset, NEW_PASSWORD, read, reset, use } from "#test/scene/staff-links.ts";
import type { Shown } from "#test/scene/staff-links.ts";

let integratorId: string;
let owner: TestStaff;

beforeAll(async () => {
  ({ id: integratorId } = await newIntegrator());
  owner = await newStaff(integratorId, "owner");
});

const forget = (email: string, address?: string) => use("forgot-password", { email }, address);

const toLink = ({ path }: { path: string }): Shown => ({
  id: "",
  email: "",
  token: path.slice(path.indexOf("#") + 1),
});

describe("a forgotten password", () => {
  test("is replaced with the link in the person's mail, once, and the second factor stays", async () => {
    const person = await newPerson(integratorId);
    await testDatabase().db.execute(
      sql`update staff set totp_confirmed_at = clock_timestamp(), totp_secret = 'x' where id = ${person.id}`,
    );
    await forget(` ${person.email.toUpperCase()} `.trim());
    const [mail] = await untilTold(integratorId, person.email, 1);
    expect(mail).toMatchObject({ kind: "password.link", subject: "Choose a new password" });
    expect(mail?.text).toContain("within an hour");
    const link = toLink(mail ?? { path: "" });
    expect((await reset(link)).status).toBe(200);
    expect((await reset(link)).status).toBe(404);
    expect(await enter({ email: person.email, password: PASSWORD })).toMatchObject({
      reason: "refused",
    });
    expect(await enter({ email: person.email, password: NEW_PASSWORD })).toMatchObject({
      reason: "code_required",
    });
    const told = await untilTold(integratorId, person.email, 2);
    expect(told.at(-1)).toMatchObject({ kind: "password.changed" });
  });

  test("of an owner, whom no colleague could make a link for, too", async () => {
    const person = await newPerson(integratorId, "owner");
    await forget(person.email);
    const [mail] = await untilTold(integratorId, person.email, 1);
    expect((await reset(toLink(mail ?? { path: "" }))).status).toBe(200);
  });

  test("leaves a colleague's link as it is", async () => {
    const person = await newPerson(integratorId);
    const made = await makeReset(owner, person);
    await forget(person.email);
    await untilTold(integratorId, person.email, 2);
    expect((await read(made)).status).toBe(200);
  });

  test("creates none for those who sign in only with an identity provider", async () => {
    const person = await newStaff(integratorId, "viewer");
    await forget(person.email);
    const known = await newPerson(integratorId);
    await forget(known.email);
    await untilTold(integratorId, known.email, 1);
    expect(await readOutbox(integratorId, person.email)).toEqual([]);
  });

  test("is answered alike for known and unknown emails, and awaits nothing that is done for known ones alone", async () => {
    const { email } = await newPerson(integratorId);
    const blocker = postgres(testDatabase().ownerUrl, { max: 1, onnotice: () => undefined });
    const answers = await blocker.begin(async (tx) => {
      await tx`lock table staff_links, messages in access exclusive mode`;
      const known = await forget(email);
      const unknown = await forget(`${newId()}@staff.example`);
      return {
        known: `${known.status} ${known.text}`,
        unknown: `${unknown.status} ${unknown.text}`,
      };
    });
    await blocker.end();
    const answer = '200 {"message":"Ok"}';
    expect(answers).toEqual({ known: answer, unknown: answer });
    await untilTold(integratorId, email, 1);
  });

  test("mails an email three times in an hour, and a network is refused after thirty attempts", async () => {
    const person = await newPerson(integratorId);
    for (let asked = 0; asked < 5; asked += 1) {
      expect((await forget(person.email)).status).toBe(200);
    }
    await untilTold(integratorId, person.email, 3);
    const known = await newPerson(integratorId);
    await forget(known.email);
    await untilTold(integratorId, known.email, 1);
    expect(await readOutbox(integratorId, person.email)).toHaveLength(3);
    const address = newId();
    const statuses = [];
    for (let asked = 0; asked < 31; asked += 1) {
      statuses.push((await forget(`${newId()}@nobody.example`, address)).status);
    }
    expect(statuses.indexOf(429)).toBe(30);
  });
});

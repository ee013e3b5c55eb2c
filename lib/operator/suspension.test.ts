import { eq } from "drizzle-orm";
import postgres from "postgres";
import { expect, test } from "vitest";
import { TELL_OF_BOOKS } from "#lib/messages/tell-of-suspension.ts";
import { integrators } from "#db/schema/integrators.ts";
import { resumeIntegrator, suspendIntegrator } from "#lib/operator/suspension.ts";
import { testDatabase } from "#test/database/database.ts";
import { newIntegrator, newOrigin } from "#test/scene/fixtures.ts";
import { newStaff } from "#test/scene/staff.ts";
import { listTold } from "#test/scene/told.ts";

test("owners are told when the operator suspends their account and resumes it, once for each", async () => {
  const { db } = testDatabase();
  const { id } = await newIntegrator();
  await newStaff(id, "admin");
  const at = await suspendIntegrator(db, { request: newOrigin(), id });
  expect(await suspendIntegrator(db, { request: newOrigin(), id })).toEqual(at);
  expect(await listTold(id)).toHaveLength(1);
  await resumeIntegrator(db, { request: newOrigin(), id });
  await resumeIntegrator(db, { request: newOrigin(), id });
  const told = await listTold(id);
  expect(told.map(({ kind, role }) => `${kind} to ${role}`)).toEqual([
    "spending.stopped to owner",
    "spending.resumed to owner",
  ]);
});

test("owners are told that cards can be used again once nothing suspends them anymore", async () => {
  const { db } = testDatabase();
  const { id } = await newIntegrator();
  const setBooks = (at: Date | null) =>
    db.update(integrators).set({ booksUnbalancedAt: at }).where(eq(integrators.id, id));
  await suspendIntegrator(db, { request: newOrigin(), id });
  await setBooks(new Date());
  await resumeIntegrator(db, { request: newOrigin(), id });
  expect((await listTold(id)).map(({ kind }) => kind)).toEqual(["spending.stopped"]);
  await setBooks(null);
  await TELL_OF_BOOKS.resumed(db, id);
  expect((await listTold(id)).map(({ kind }) => kind)).toEqual([
    "spending.stopped",
    "spending.resumed",
  ]);
});

test("an account is suspended although nobody can be told", async () => {
  const { db, ownerUrl } = testDatabase();
  const { id } = await newIntegrator();
  const owner = postgres(ownerUrl, { max: 1 });
  try {
    await owner.unsafe(
      `alter table messages add constraint nobody check (integrator_id <> '${id}') not valid`,
    );
    expect(await suspendIntegrator(db, { request: newOrigin(), id })).toBeInstanceOf(Date);
    expect(await listTold(id)).toEqual([]);
  } finally {
    await owner`alter table messages drop constraint nobody`;
    await owner.end();
  }
});

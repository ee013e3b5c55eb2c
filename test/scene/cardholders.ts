import { and, eq } from "drizzle-orm";
import { readAudit, readRecorded } from "./recorded-events.ts";
import { expect } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { call } from "./api-client.ts";
import type { ApiReply } from "./api-client.ts";
import type { TestIntegrator } from "./fixtures.ts";
import { events } from "#db/schema/events.ts";

/** The members of a cardholder that tests read. */
export interface User {
  id: string;
  email: string;
  archived: boolean;
  updated_at: string;
}

export const userIn = ({ json }: ApiReply): User => (json as { data: User }).data;

/** The path of a cardholder. */
export const pathOf = ({ id }: { id: string }) => `/card-integrators/card-users/${id}`;

/** Registers a cardholder through the API. */
export async function newUser(integrator: TestIntegrator, members: object = {}): Promise<User> {
  const reply = await call(`POST /card-integrators/${integrator.id}/register-user`, {
    key: integrator.apiKey,
    body: {
      first_name: "Kofi",
      last_name: "Mensah",
      email: `${newId()}@example.com`,
      phone_number: "+233200000000",
      id_type: "passport",
      id_number: "A1234567",
      address: { city: "Accra", country: "GH", line1: "2 Ring Road", line2: "Apt 4" },
      ...members,
    },
  });
  expect(reply.status).toBe(201);
  return userIn(reply);
}

/** Requests a card for a cardholder. */
export function createCardFor(integrator: TestIntegrator, { id }: User): Promise<ApiReply> {
  return call("POST /cards/create-virtual-card", {
    key: integrator.apiKey,
    body: {
      user_id: id,
      currency: "USD",
      design_type: "midnight",
      single_use: false,
      validity: 30,
    },
  });
}

/** What was recorded about a cardholder since they were registered. */
export async function recordsOf(integrator: TestIntegrator, { id }: User) {
  const recorded = await readRecorded(
    and(eq(events.integratorId, integrator.id), eq(events.subjectId, id)),
  );
  const audited = await readAudit(integrator, { targetId: id });
  return {
    events: recorded.slice(1),
    audit: audited.slice(1).map(({ action, before, after }) => ({ action, before, after })),
  };
}

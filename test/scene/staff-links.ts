import { newId } from "#lib/base/ids.ts";
import { call } from "./api-client.ts";
import type { ApiReply } from "./api-client.ts";
import { PASSWORD } from "./people.ts";
import type { TestStaff } from "./staff.ts";

/** One-time links through the API: creating them as staff, and using them as their recipients. */

export const NEW_PASSWORD = "new horse, old battery";

/** A link as it is shown to its creator. */
export interface Shown {
  id: string;
  email: string;
  token: string;
}

export function toShown(reply: ApiReply): Shown {
  const { data, link } = reply.json as { data: { id: string; email: string }; link: string };
  return { ...data, token: new URL(link).hash.slice(1) };
}

export function askToInvite(by: TestStaff, email: string, role = "operator"): Promise<ApiReply> {
  return call("POST /staff/invitations", {
    headers: by.headers,
    body: { email, role },
    address: newId(),
  });
}

/** Invites a person who has no account. */
export async function makeInvitation(by: TestStaff, role = "operator"): Promise<Shown> {
  return toShown(await askToInvite(by, `${newId()}@new.example`, role));
}

/** Each attempt comes from its own address, because attempts from one address are limited. */
export function use(path: string, body: object, address: string = newId()): Promise<ApiReply> {
  return call(`POST /staff/links/${path}`, { body, address });
}

export function read({ token }: Shown): Promise<ApiReply> {
  return use("read", { token });
}

export function accept({ token }: Shown, firstName = "Noor"): Promise<ApiReply> {
  return use("accept", { token, first_name: firstName, last_name: "Haddad", password: PASSWORD });
}

export function askToReset(by: TestStaff, { id }: { id: string }): Promise<ApiReply> {
  return call(`POST /staff/${id}/password-reset`, { headers: by.headers });
}

export async function makeReset(by: TestStaff, person: TestStaff): Promise<Shown> {
  return toShown(await askToReset(by, person));
}

export function reset({ token }: Shown, password: string = NEW_PASSWORD): Promise<ApiReply> {
  return use("reset-password", { token, password });
}

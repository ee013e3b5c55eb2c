import { TOTP } from "otpauth";
import { PASSWORD } from "#test/scene/people.ts";
import { change, post, read, remove } from "../asks.ts";
import type { AdminClient } from "../admin-client.ts";
import { idsOf, rowsOf } from "../admin-client.ts";
import type { Recorded } from "../history.ts";
import { isAcknowledged } from "../history.ts";
import type { Session } from "../session.ts";

const NEW_PASSWORD = "another horse, another battery";

/** Invites a person, who joins, changes everything that is their own, gets another role, and is removed. */
export async function employ(client: AdminClient): Promise<void> {
  const email = await join(client);
  const staff = await client.asOwner(read("listStaff", "/staff"));
  if (email === null || !isAcknowledged(staff)) {
    return;
  }
  const person = rowsOf(staff.data["data"]).find((row) => row["email"] === email);
  client.requireShown(staff, `${email}, who had joined`, () => person !== undefined);
  if (person === undefined) {
    return;
  }
  const id = String(person["id"]);
  await client.random.pick([enroll, protect, endSessions])(client, { id, email });
  const changed = await client.asOwner({
    ...change("changeRole", `/staff/${id}`, { role: "operator" }),
    target: id,
  });
  client.requireShown(changed, `the new role of ${id}`, ({ role }) => role === "operator");
  await resetPassword(client, id);
  await dismiss(client, { id, email });
}

/** Invites a person, and takes the invitation back. */
export async function disinvite(client: AdminClient): Promise<void> {
  const invited = await invite(client);
  if (!isAcknowledged(invited)) {
    return;
  }
  const id = String(invited.data["id"]);
  const revoked = await client.asOwner(remove("revokeInvitation", `/staff/invitations/${id}`, id));
  if (isAcknowledged(revoked)) {
    const accepted = await accept(client, toToken(invited), String(invited.data["email"]));
    client.requireStatus(accepted, "a revoked invitation", 404);
  }
}

/** @returns the email of the person; null when they have not joined. */
async function join(client: AdminClient): Promise<string | null> {
  const invited = await invite(client);
  if (!isAcknowledged(invited)) {
    return null;
  }
  const email = String(invited.data["email"]);
  const token = toToken(invited);
  const shown = await client.as({}, post("readLink", "/staff/links/read", { body: { token } }));
  client.requireShown(shown, `the invitation of ${email}`, (link) => link["email"] === email);
  const accepted = await accept(client, token, email);
  // The answer may have been lost, and the link is used up.
  return isAcknowledged(accepted) || accepted.setbacks.length > 0 ? email : null;
}

function invite(client: AdminClient): Promise<Recorded> {
  const marker = `${client.newMarker()}@staff.example`;
  const body = { email: marker, role: "viewer" };
  return client.asOwner(
    post("inviteStaff", "/staff/invitations", { body, marker, repeat: "performed" }),
  );
}

function accept(client: AdminClient, token: string, email: string): Promise<Recorded> {
  const body = { token, first_name: "Noor", last_name: "Haddad", password: PASSWORD };
  return client.as(
    {},
    post("acceptInvitation", "/staff/links/accept", { body, marker: email, repeat: "refused" }),
  );
}

interface Person {
  id: string;
  email: string;
}

/** Sets up two factors, and removes them. */
async function enroll(client: AdminClient, { id, email }: Person): Promise<void> {
  const { headers } = await client.signIn(email);
  const path = "/staff/me/second-factor";
  const begun = await client.as(headers, {
    ...post("beginSecondFactor", path, { target: id }),
    repeat: "performed",
  });
  if (!isAcknowledged(begun)) {
    return;
  }
  const code = new TOTP({ secret: String(begun.data["secret"]) }).generate();
  const enabled = await client.as(
    headers,
    post("enableSecondFactor", `${path}/enable`, { body: { code }, target: id, repeat: "refused" }),
  );
  if (isAcknowledged(enabled)) {
    const staff = await client.asOwner(read("listStaff", "/staff"));
    client.requireShown(staff, `the second factor of ${id}`, ({ data }) =>
      rowsOf(data).some((row) => row["id"] === id && row["second_factor"] === true),
    );
    await client.as(headers, { ...remove("disableSecondFactor", path, id), repeat: "refused" });
  }
}

/** Changes the password, which ends the other sessions. */
async function protect(client: AdminClient, { id, email }: Person): Promise<void> {
  const [own, other] = [await client.signIn(email), await client.signIn(email)];
  const body = { current_password: PASSWORD, new_password: NEW_PASSWORD };
  const changed = await client.as(own.headers, {
    ...change("changePassword", "/staff/me/password", body),
    target: id,
    repeat: "refused",
  });
  if (isAcknowledged(changed)) {
    await requireSignedOut(client, other, `a session of ${id}, before the password changed`);
  }
}

/** Ends sessions: their own others, and, by the owner, all of them. */
async function endSessions(client: AdminClient, { id, email }: Person): Promise<void> {
  const [own, other] = [await client.signIn(email), await client.signIn(email)];
  const ended = await client.as(
    own.headers,
    remove("revokeOtherSessions", "/staff/me/sessions", id),
  );
  if (isAcknowledged(ended)) {
    await requireSignedOut(client, other, `another session of ${id}`);
  }
  const third = await client.signIn(email);
  const revoked = await client.as(own.headers, {
    ...remove("revokeOwnSession", `/staff/me/sessions/${third.id}`, id),
    repeat: "refused",
  });
  if (isAcknowledged(revoked)) {
    await requireSignedOut(client, third, `a revoked session of ${id}`);
  }
  const all = await client.asOwner(
    post("revokeSessions", `/staff/${id}/revoke-sessions`, { target: id }),
  );
  if (isAcknowledged(all)) {
    await requireSignedOut(client, own, `a session of ${id}, whom the owner signed out`);
  }
}

async function resetPassword(client: AdminClient, id: string): Promise<void> {
  const made = await client.asOwner(
    post("makePasswordReset", `/staff/${id}/password-reset`, { target: id, repeat: "performed" }),
  );
  if (isAcknowledged(made)) {
    const body = { token: toToken(made), password: NEW_PASSWORD };
    await client.as(
      {},
      post("resetPassword", "/staff/links/reset-password", { body, target: id, repeat: "refused" }),
    );
  }
}

async function dismiss(client: AdminClient, { id, email }: Person): Promise<void> {
  const own = await client.signIn(email);
  const removed = await client.asOwner(remove("removeStaff", `/staff/${id}`, id));
  if (!isAcknowledged(removed)) {
    return;
  }
  await requireSignedOut(client, own, `the session of ${id}, who was removed`);
  const staff = await client.asOwner(read("listStaff", "/staff"));
  client.requireShown(staff, `the removal of ${id}`, ({ data }) => !idsOf(data).includes(id));
}

async function requireSignedOut(
  client: AdminClient,
  session: Session,
  what: string,
): Promise<void> {
  client.requireStatus(
    await client.as(session.headers, read("getAccountVersion", "/card-integrators/me/version")),
    what,
    401,
  );
}

/** The secret of a one-time link. */
function toToken({ data }: Recorded): string {
  return new URL(String(data["link"])).hash.slice(1);
}

import { TOTP } from "otpauth";
import { PASSWORD } from "#test/scene/people.ts";
import { change, post, read, remove } from "../asks.ts";
import type { Desk } from "../desk.ts";
import { idsOf, rowsOf } from "../desk.ts";
import type { Recorded } from "../history.ts";
import { isAcknowledged } from "../history.ts";
import type { Session } from "../session.ts";

const NEW_PASSWORD = "another horse, another battery";

/** Invites a person, who joins, changes everything that is their own, gets another role, and is removed. */
export async function employ(desk: Desk): Promise<void> {
  const email = await join(desk);
  const staff = await desk.asOwner(read("listStaff", "/staff"));
  if (email === null || !isAcknowledged(staff)) {
    return;
  }
  const person = rowsOf(staff.data["data"]).find((row) => row["email"] === email);
  desk.requireShown(staff, `${email}, who had joined`, () => person !== undefined);
  if (person === undefined) {
    return;
  }
  const id = String(person["id"]);
  await desk.random.pick([enroll, protect, endSessions])(desk, { id, email });
  const changed = await desk.asOwner({
    ...change("changeRole", `/staff/${id}`, { role: "operator" }),
    target: id,
  });
  desk.requireShown(changed, `the new role of ${id}`, ({ role }) => role === "operator");
  await resetPassword(desk, id);
  await dismiss(desk, { id, email });
}

/** Invites a person, and takes the invitation back. */
export async function disinvite(desk: Desk): Promise<void> {
  const invited = await invite(desk);
  if (!isAcknowledged(invited)) {
    return;
  }
  const id = String(invited.data["id"]);
  const revoked = await desk.asOwner(remove("revokeInvitation", `/staff/invitations/${id}`, id));
  if (isAcknowledged(revoked)) {
    const accepted = await accept(desk, toToken(invited), String(invited.data["email"]));
    desk.requireStatus(accepted, "a revoked invitation", 404);
  }
}

/** @returns the email of the person; null when they have not joined. */
async function join(desk: Desk): Promise<string | null> {
  const invited = await invite(desk);
  if (!isAcknowledged(invited)) {
    return null;
  }
  const email = String(invited.data["email"]);
  const token = toToken(invited);
  const shown = await desk.as({}, post("readLink", "/staff/links/read", { body: { token } }));
  desk.requireShown(shown, `the invitation of ${email}`, (link) => link["email"] === email);
  const accepted = await accept(desk, token, email);
  // The answer may have been lost, and the link is used up.
  return isAcknowledged(accepted) || accepted.attempts > 1 ? email : null;
}

function invite(desk: Desk): Promise<Recorded> {
  const marker = `${desk.newMarker()}@staff.example`;
  const body = { email: marker, role: "viewer" };
  return desk.asOwner(
    post("inviteStaff", "/staff/invitations", { body, marker, repeat: "performed" }),
  );
}

function accept(desk: Desk, token: string, email: string): Promise<Recorded> {
  const body = { token, first_name: "Noor", last_name: "Haddad", password: PASSWORD };
  return desk.as(
    {},
    post("acceptInvitation", "/staff/links/accept", { body, marker: email, repeat: "refused" }),
  );
}

interface Person {
  id: string;
  email: string;
}

/** Sets up two factors, and removes them. */
async function enroll(desk: Desk, { id, email }: Person): Promise<void> {
  const { headers } = await desk.signIn(email);
  const path = "/staff/me/second-factor";
  const begun = await desk.as(headers, {
    ...post("beginSecondFactor", path, { target: id }),
    repeat: "performed",
  });
  if (!isAcknowledged(begun)) {
    return;
  }
  const code = new TOTP({ secret: String(begun.data["secret"]) }).generate();
  const enabled = await desk.as(
    headers,
    post("enableSecondFactor", `${path}/enable`, { body: { code }, target: id, repeat: "refused" }),
  );
  if (isAcknowledged(enabled)) {
    const staff = await desk.asOwner(read("listStaff", "/staff"));
    desk.requireShown(staff, `the second factor of ${id}`, ({ data }) =>
      rowsOf(data).some((row) => row["id"] === id && row["second_factor"] === true),
    );
    await desk.as(headers, { ...remove("disableSecondFactor", path, id), repeat: "refused" });
  }
}

/** Changes the password, which ends the other sessions. */
async function protect(desk: Desk, { id, email }: Person): Promise<void> {
  const [own, other] = [await desk.signIn(email), await desk.signIn(email)];
  const body = { current_password: PASSWORD, new_password: NEW_PASSWORD };
  const changed = await desk.as(own.headers, {
    ...change("changePassword", "/staff/me/password", body),
    target: id,
    repeat: "refused",
  });
  if (isAcknowledged(changed)) {
    await requireSignedOut(desk, other, `a session of ${id}, before the password changed`);
  }
}

/** Ends sessions: their own others, and, by the owner, all of them. */
async function endSessions(desk: Desk, { id, email }: Person): Promise<void> {
  const [own, other] = [await desk.signIn(email), await desk.signIn(email)];
  const ended = await desk.as(own.headers, remove("revokeOtherSessions", "/staff/me/sessions", id));
  if (isAcknowledged(ended)) {
    await requireSignedOut(desk, other, `another session of ${id}`);
  }
  const third = await desk.signIn(email);
  const revoked = await desk.as(own.headers, {
    ...remove("revokeOwnSession", `/staff/me/sessions/${third.id}`, id),
    repeat: "refused",
  });
  if (isAcknowledged(revoked)) {
    await requireSignedOut(desk, third, `a revoked session of ${id}`);
  }
  const all = await desk.asOwner(
    post("revokeSessions", `/staff/${id}/revoke-sessions`, { target: id }),
  );
  if (isAcknowledged(all)) {
    await requireSignedOut(desk, own, `a session of ${id}, whom the owner signed out`);
  }
}

async function resetPassword(desk: Desk, id: string): Promise<void> {
  const made = await desk.asOwner(
    post("makePasswordReset", `/staff/${id}/password-reset`, { target: id, repeat: "performed" }),
  );
  if (isAcknowledged(made)) {
    const body = { token: toToken(made), password: NEW_PASSWORD };
    await desk.as(
      {},
      post("resetPassword", "/staff/links/reset-password", { body, target: id, repeat: "refused" }),
    );
  }
}

async function dismiss(desk: Desk, { id, email }: Person): Promise<void> {
  const own = await desk.signIn(email);
  const removed = await desk.asOwner(remove("removeStaff", `/staff/${id}`, id));
  if (!isAcknowledged(removed)) {
    return;
  }
  await requireSignedOut(desk, own, `the session of ${id}, who was removed`);
  const staff = await desk.asOwner(read("listStaff", "/staff"));
  desk.requireShown(staff, `the removal of ${id}`, ({ data }) => !idsOf(data).includes(id));
}

async function requireSignedOut(desk: Desk, session: Session, what: string): Promise<void> {
  desk.requireStatus(
    await desk.as(session.headers, read("getAccountVersion", "/card-integrators/me/version")),
    what,
    401,
  );
}

/** The secret of a one-time link. */
function toToken({ data }: Recorded): string {
  return new URL(String(data["link"])).hash.slice(1);
}

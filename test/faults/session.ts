import postgres from "postgres";
import { PASSWORD } from "#test/scene/people.ts";

/** The headers with which a signed-in browser sends requests. */
export type Session = Readonly<Record<string, string>>;

/** An integrator, and where it is. */
interface Account {
  baseUrl: string;
  /** Of the database. */
  ownerUrl: string;
  integratorId: string;
}

/** Who signs in, and from where. */
interface Person {
  email: string;
  forwarded: Session;
}

/** Signs a person in, as their browser would. */
export async function signIn(
  { baseUrl, ownerUrl, integratorId }: Account,
  person: Person,
): Promise<{ session: Session; sessionId: string }> {
  const cookie = await openSession(baseUrl, person);
  const { id: sessionId, staffId } = await findNewestSession(ownerUrl, integratorId);
  const session = { Cookie: cookie, "Sec-Fetch-Site": "same-origin", "Staff-Id": staffId };
  return { session, sessionId };
}

/** Another owner joins, and from then on every move needs a second person. @returns the other's session. */
export async function joinSecond(
  account: Account,
  owner: Session,
  person: Person,
): Promise<Session> {
  const send = (line: string, body: object) =>
    sendOnce(account.baseUrl, line, { headers: { ...owner, ...person.forwarded }, body });
  const { link } = await send("POST /staff/invitations", { email: person.email, role: "owner" });
  const named = { first_name: "Noor", last_name: "Haddad", password: PASSWORD };
  const token = new URL(String(link)).hash.slice(1);
  await send("POST /staff/links/accept", { token, ...named });
  await send("PATCH /card-integrators/settings", { approval: { threshold: 1, for_keys: true } });
  return (await signIn(account, person)).session;
}

async function sendOnce(
  baseUrl: string,
  line: string,
  { headers, body }: { headers: Session; body: object },
): Promise<Readonly<Record<string, unknown>>> {
  const [method = "", path = ""] = line.split(" ");
  const answer = await fetch(`${baseUrl}${path}`, {
    method,
    headers: { ...headers, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) {
    throw new Error(`${line} was answered ${answer.status}: ${text}`);
  }
  return Object(JSON.parse(text));
}

async function openSession(baseUrl: string, { email, forwarded }: Person): Promise<string> {
  const asked = await fetch(`${baseUrl}/auth/csrf`, { headers: forwarded });
  const { csrfToken }: { csrfToken: string } = await asked.json();
  const signedIn = await fetch(`${baseUrl}/auth/callback/credentials`, {
    method: "POST",
    headers: { ...forwarded, cookie: toCookies(asked) },
    body: new URLSearchParams({ csrfToken, email, password: PASSWORD, json: "true" }),
  });
  if (!signedIn.ok) {
    throw new Error(`The owner cannot sign in: ${await signedIn.text()}`);
  }
  return toCookies(signedIn);
}

/** Only the security page lists a person's sessions. */
async function findNewestSession(
  ownerUrl: string,
  integratorId: string,
): Promise<{ id: string; staffId: string }> {
  const owner = postgres(ownerUrl, { max: 1, onnotice: () => undefined });
  const [row] = await owner<{ id: string; staffId: string }[]>`
    select id, staff_id as "staffId" from staff_sessions
    where integrator_id = ${integratorId} order by created_at desc limit 1`;
  await owner.end();
  return row ?? { id: "", staffId: "" };
}

function toCookies({ headers }: Response): string {
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(";", 1)[0])
    .join("; ");
}

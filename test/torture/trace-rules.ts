import type { Sql } from "postgres";
import { isAcknowledged } from "./history.ts";
import type { History, Recorded } from "./history.ts";

/** What changes leave in the audit log and among the events. */

/** A row of one of the two. */
interface Row {
  integratorId: string;
  subjectId: string;
  /** The audit log's values after the change, or the event's data. */
  content: Readonly<Record<string, unknown>>;
}

/** What tells one change from another: the subject, or what the request wrote. */
interface Naming {
  ofRow(row: Row): string;
  ofRequest(request: Recorded): string;
}

/** The rows that requests with these names leave, and only they. */
interface Trace {
  log: "audit" | "events";
  kind: string;
  requests: readonly string[];
  naming: Naming;
}

const BY_SUBJECT: Naming = {
  ofRow: ({ subjectId }) => subjectId,
  ofRequest: ({ target }) => target ?? "",
};

const BY_ACCOUNT: Naming = {
  ofRow: ({ integratorId }) => integratorId,
  ofRequest: ({ integratorId }) => integratorId,
};

/** @param members where the request's marker is; the first of them that there is. */
function byMarker(...members: readonly string[]): Naming {
  return {
    ofRow: ({ content }) =>
      members.map((member) => toText(content[member])).find((value) => value !== "") ?? "",
    ofRequest: ({ marker }) => marker ?? "",
  };
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** By the record that the row names in a member, and the request as its target. */
const byTarget = (member: string): Naming => ({
  ofRow: ({ content }) => toText(content[member]),
  ofRequest: ({ target }) => target ?? "",
});

const BY_DELIVERY = byTarget("delivery");
const BY_ENDPOINT = byTarget("endpoint");

const BY_NOTE: Naming = {
  ofRow: ({ content: { metadata } }) => toText(Object.assign({ note: null }, metadata).note),
  ofRequest: ({ marker }) => marker ?? "",
};

/** A new card, by the card that it replaces if it replaces one. */
const BY_ISSUE: Naming = {
  ofRow: ({ content, subjectId }) => toText(content["replaces"]) || subjectId,
  ofRequest: ({ target }) => target ?? "",
};

const CLOSES = ["closeCard", "replaceCard"] as const;

const ACCOUNT_MEMBERS = ["business_address", "registration_number"] as const;
const ACCOUNT_CHANGES = ["move_webhooks", "switch_webhooks_off", "updateSettings"] as const;

const TRACES: readonly Trace[] = [
  audit("cardholder.registered", ["register_user"], byMarkedEmail()),
  audit("cardholder.updated", ["updateUser"], byMarker("first_name")),
  audit("cardholder.archived", ["archiveUser"], BY_SUBJECT),
  audit("cardholder.unarchived", ["unarchiveUser"], BY_SUBJECT),
  audit("card.created", ["issue", "replaceCard"], BY_ISSUE),
  audit("card.closed", CLOSES, byMarker("comment")),
  audit("card.replaced", ["replaceCard"], BY_SUBJECT),
  audit("card.updated", ["metadata"], BY_NOTE),
  audit("card.noted", ["note"], byMarker("comment")),
  audit("integrator.updated", ACCOUNT_CHANGES, byMarker(...ACCOUNT_MEMBERS)),
  audit("webhooks.tested", ["sendTestWebhook"], BY_DELIVERY),
  audit("webhooks.resent", ["resendWebhookDelivery"], BY_DELIVERY),
  audit("webhooks.recovered", ["recoverWebhookDeliveries"], BY_ACCOUNT),
  audit("webhooks.endpoint-created", ["createWebhookEndpoint"], BY_ENDPOINT),
  audit("webhooks.endpoint-updated", ["updateWebhookEndpoint"], BY_ENDPOINT),
  audit("webhooks.endpoint-deleted", ["deleteWebhookEndpoint"], BY_ENDPOINT),
  audit("webhooks.secret-rotated", ["rotateWebhookSecret"], BY_ACCOUNT),
  audit("webhooks.secret-revealed", ["revealWebhookSecret"], BY_ACCOUNT),
  audit("api_key.created", ["createApiKey", "rotateApiKey"], byMarker("name")),
  audit("api_key.rotated", ["rotateApiKey"], BY_SUBJECT),
  audit("api_key.exempted", ["exemptApiKey"], BY_SUBJECT),
  audit("api_key.revoked", ["revokeApiKey"], BY_SUBJECT),
  audit("staff.invited", ["inviteStaff"], byMarker("email")),
  audit("staff.invitation_revoked", ["revokeInvitation"], BY_SUBJECT),
  audit("staff.joined", ["acceptInvitation"], byMarker("email")),
  audit("staff.role_changed", ["changeRole"], BY_SUBJECT),
  audit("staff.removed", ["removeStaff"], BY_SUBJECT),
  audit("staff.sessions_revoked", ["revokeSessions", "revokeOtherSessions"], BY_SUBJECT),
  audit("staff.session_revoked", ["revokeOwnSession"], BY_SUBJECT),
  audit("staff.password_reset_made", ["makePasswordReset"], BY_SUBJECT),
  audit("staff.password_reset", ["resetPassword"], BY_SUBJECT),
  audit("staff.password_changed", ["changePassword"], BY_SUBJECT),
  audit("staff.second_factor_begun", ["beginSecondFactor"], BY_SUBJECT),
  audit("staff.second_factor_enabled", ["enableSecondFactor"], BY_SUBJECT),
  audit("staff.second_factor_disabled", ["disableSecondFactor"], BY_SUBJECT),
  event("user.kyc-verification", ["register_user"], BY_SUBJECT),
  event("user.updated", ["updateUser"], BY_SUBJECT),
  event("user.archived", ["archiveUser"], BY_SUBJECT),
  event("user.unarchived", ["unarchiveUser"], BY_SUBJECT),
  event("card.created", ["issue", "replaceCard"], BY_ISSUE),
  event("card.closed", CLOSES, BY_SUBJECT),
  event("card.updated", ["metadata"], BY_NOTE),
  event("integrator.updated", ACCOUNT_CHANGES, byMarker(...ACCOUNT_MEMBERS)),
  // A new address is tested by itself.
  event("webhook.test", ["sendTestWebhook", "move_webhooks"], BY_ACCOUNT),
];

function audit(kind: string, requests: readonly string[], naming: Naming): Trace {
  return { log: "audit", kind, requests, naming };
}

function event(kind: string, requests: readonly string[], naming: Naming): Trace {
  return { log: "events", kind, requests, naming };
}

function byMarkedEmail(): Naming {
  return {
    ofRow: ({ content }) => toText(content["email"]).split("@")[0] ?? "",
    ofRequest: ({ marker }) => marker ?? "",
  };
}

/** What a change must have left, at least and at most. */
interface Expected {
  least: number;
  most: number;
}

export async function checkTraces({ requests, integratorIds }: History, sql: Sql) {
  const byName = Map.groupBy(requests, ({ operation }) => operation);
  const found: string[] = [];
  for (const { log, kind, requests: names, naming } of TRACES) {
    const own = names.flatMap((name) => byName.get(name) ?? []);
    const expected = toExpected(own, naming);
    const counts = count(await readRows(sql, { log, kind, integratorIds }), naming);
    for (const name of new Set([...expected.keys(), ...counts.keys()])) {
      const rows = counts.get(name) ?? 0;
      const { least, most } = expected.get(name) ?? { least: 0, most: 0 };
      if (rows < least || rows > most) {
        const wanted = least === most ? String(least) : `${least} to ${most}`;
        found.push(`${kind} of ${name}: ${rows} in ${log} instead of ${wanted}`);
      }
    }
  }
  return found;
}

/** A change whose repeats do not get the first answer may have been made by an attempt that seemed to fail. */
function toExpected(requests: readonly Recorded[], naming: Naming): Map<string, Expected> {
  const expected = new Map<string, Expected>();
  for (const request of requests) {
    const name = naming.ofRequest(request);
    const { least, most } = expected.get(name) ?? { least: 0, most: 0 };
    const done = isAcknowledged(request) ? 1 : 0;
    expected.set(name, { least: least + done, most: most + Math.max(done, toMost(request)) });
  }
  return expected;
}

function toMost({ repeat, setbacks }: Recorded): number {
  const most: Record<Recorded["repeat"], number> = {
    answered: 0,
    performed: setbacks.length + 1,
    refused: setbacks.length > 0 ? 1 : 0,
  };
  return most[repeat];
}

function count(rows: readonly Row[], { ofRow }: Naming): Map<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows) {
    counts.set(ofRow(row), (counts.get(ofRow(row)) ?? 0) + 1);
  }
  return counts;
}

/** The rows since the first change of each integrator that the history has. */
function readRows(
  sql: Sql,
  { log, kind, integratorIds }: Pick<Trace, "log" | "kind"> & { integratorIds: readonly string[] },
): Promise<Row[]> {
  const since = sql`(
    select min(c.created_at) from events c
    where c.integrator_id = x.integrator_id and c.event = 'integrator.updated')`;
  const personalOf = (member: string) => sql`(
    select p.content::jsonb -> ${member} from personal_values p
    where p.integrator_id = x.integrator_id and p.record_id = x.id)`;
  return log === "audit"
    ? sql<Row[]>`
        select integrator_id as "integratorId", target_id as "subjectId",
          coalesce(after, '{}') || coalesce(${personalOf("after")}, '{}') as content
        from audit_log x
        where integrator_id = any(${integratorIds}::uuid[]) and action = ${kind} and created_at >= ${since}`
    : sql<Row[]>`
        select integrator_id as "integratorId", subject_id as "subjectId", (content::jsonb -> 'data') || coalesce(${personalOf("data")}, '{}') as content
        from events x
        where integrator_id = any(${integratorIds}::uuid[]) and event = ${kind} and created_at >= ${since}`;
}

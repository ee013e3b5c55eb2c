import { and, asc, eq, isNull, sql } from "drizzle-orm";
import type { ReadContext } from "#lib/base/context.ts";
import { FAILING_MAX_HOURS } from "#lib/webhooks/delivery-states.ts";
import type { SwitchOffReason } from "#lib/webhooks/delivery-states.ts";
import { integrators } from "#db/schema/integrators.ts";
import { ledgerAccounts } from "#db/schema/ledger.ts";
import { installation } from "#db/schema/staff.ts";
import { webhookEndpoints } from "#db/schema/webhooks.ts";
import { DEFICIT } from "#lib/funds/float.ts";
import { runSelect } from "#db/compiled-select.ts";

/** A condition of the account that needs attention. Amounts in minor units. */
export type Alert =
  /** The operator has stopped all changes, or those to this account. */
  | { kind: "read_only" | "account_stopped"; since: Date }
  | { kind: "books_unbalanced"; since: Date }
  | { kind: "webhooks_disabled"; since: Date; reason: SwitchOffReason; endpoint: AlertedEndpoint }
  /**
   * Webhooks are disabled at `until` unless a delivery succeeds before then; null when the next failure disables them.
   * `isUrgent` on the last day before `until`.
   */
  | {
      kind: "webhooks_failing";
      since: Date;
      until: Date | null;
      isUrgent: boolean;
      endpoint: AlertedEndpoint;
    }
  | { kind: "float_deficit"; deficit: number; currency: string }
  | { kind: "float_low"; available: number; threshold: number; currency: string };

/** The endpoint with the problem; null for the one of the account's `webhook_url`. */
type AlertedEndpoint = { id: string; url: string } | null;

/** An endpoint that has failed for less time is probably restarting. By this time, its second retry has failed. */
const FAILING_MIN_MS = 10 * 60_000;
const URGENT_MS = 24 * 3_600_000;
const HOUR_MS = 3_600_000;

/**
 * The current alerts, the most serious first. Every page shows them, so this reads only the account, its float, its
 * endpoints, and the installation, by their keys.
 */
export async function listAlerts(ctx: ReadContext): Promise<Alert[]> {
  const rows = await runSelect(ctx.db, {
    key: "alerts",
    build: (builder) =>
      builder
        .select({
          readOnlySince: installation.readOnlySince,
          stoppedAt: integrators.stoppedAt,
          unbalancedAt: integrators.booksUnbalancedAt,
          threshold: integrators.lowBalanceThreshold,
          currency: integrators.currency,
          available: sql<number>`(${ledgerAccounts.balance} - ${ledgerAccounts.held})::float8`,
          deficit: DEFICIT,
          endpointId: webhookEndpoints.id,
          url: webhookEndpoints.url,
          isFirst: sql<boolean>`coalesce(${webhookEndpoints.id} = ${integrators.id}, true)`,
          switchedOffAt: webhookEndpoints.switchedOffAt,
          reason: webhookEndpoints.switchedOffReason,
          failingSince: webhookEndpoints.failingSince,
          now: sql<number>`(extract(epoch from statement_timestamp()) * 1000)::float8`,
        })
        .from(integrators)
        .innerJoin(
          ledgerAccounts,
          and(
            eq(ledgerAccounts.integratorId, integrators.id),
            // A literal, not a parameter, so that the planner can use the partial index that excludes cards.
            sql`${ledgerAccounts.kind} = 'float'`,
          ),
        )
        .leftJoin(installation, sql`true`)
        .leftJoin(
          webhookEndpoints,
          and(
            eq(webhookEndpoints.integratorId, integrators.id),
            isNull(webhookEndpoints.deletedAt),
          ),
        )
        .where(eq(integrators.id, sql.placeholder("integratorId")))
        .orderBy(asc(webhookEndpoints.id)),
    values: { integratorId: ctx.actor.integratorId },
  });
  const [account] = rows;
  return account
    ? [...toStops(account), ...toBooks(account), ...rows.flatMap(toWebhooks), ...toFloat(account)]
    : [];
}

interface Row {
  readOnlySince: Date | null;
  stoppedAt: Date | null;
  unbalancedAt: Date | null;
  threshold: number | null;
  currency: string;
  available: number;
  deficit: number;
  endpointId: string | null;
  url: string | null;
  isFirst: boolean;
  switchedOffAt: Date | null;
  reason: SwitchOffReason | null;
  failingSince: Date | null;
  /** Milliseconds since 1970, on the database's clock. */
  now: number;
}

function toStops({ readOnlySince, stoppedAt }: Row): Alert[] {
  return [
    ...(readOnlySince ? [{ kind: "read_only" as const, since: readOnlySince }] : []),
    ...(stoppedAt ? [{ kind: "account_stopped" as const, since: stoppedAt }] : []),
  ];
}

function toBooks({ unbalancedAt }: Row): Alert[] {
  return unbalancedAt ? [{ kind: "books_unbalanced", since: unbalancedAt }] : [];
}

function toWebhooks(row: Row): Alert[] {
  const { endpointId, url, isFirst, switchedOffAt, reason, failingSince, now } = row;
  if (url === null || endpointId === null) {
    return [];
  }
  const endpoint = isFirst ? null : { id: endpointId, url };
  if (switchedOffAt && reason) {
    return [{ kind: "webhooks_disabled", since: switchedOffAt, reason, endpoint }];
  }
  if (!failingSince || now - failingSince.getTime() < FAILING_MIN_MS) {
    return [];
  }
  const end = failingSince.getTime() + FAILING_MAX_HOURS * HOUR_MS;
  const until = end > now ? new Date(end) : null;
  const isUrgent = end - now < URGENT_MS;
  return [{ kind: "webhooks_failing", since: failingSince, until, isUrgent, endpoint }];
}

function toFloat({ threshold, available, deficit, currency }: Row): Alert[] {
  if (deficit > 0) {
    return [{ kind: "float_deficit", deficit, currency }];
  }
  return threshold !== null && available < threshold
    ? [{ kind: "float_low", available, threshold, currency }]
    : [];
}

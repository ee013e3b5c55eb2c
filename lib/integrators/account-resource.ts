import { COUNTED_REASONS } from "#lib/transactions/decline-rules.ts";
import type { StoredApproval } from "#db/schema/approval-rule.ts";
import type { integrators, StoredAutoFreeze } from "#db/schema/integrators.ts";

/** An integrator's own account. */
export type Account = Omit<
  typeof integrators.$inferSelect,
  | "eventSequence"
  | "booksUnbalancedAt"
  | "clockOffsetS"
  | "clockTargetS"
  | "clockSince"
  | "idleFillAfter"
  | "approvalSince"
> & { webhookUrl: string | null };

/** An account, as answers show it. */
export function toAccountResource(account: Account) {
  return {
    id: account.id,
    business_name: account.businessName,
    business_address: account.businessAddress,
    domain: account.domain,
    webhook_url: account.webhookUrl,
    email: account.email,
    first_name: account.firstName,
    last_name: account.lastName,
    contact_number: account.contactNumber,
    country: account.country,
    registration_number: account.registrationNumber,
    program_name: account.programName,
    card_color: account.cardColor,
    time_zone: account.timeZone,
    float_currencies: [account.currency],
    environment: account.environment,
    api_version: account.apiVersion,
    low_balance_threshold: account.lowBalanceThreshold,
    idempotency_required: account.idempotencyRequired,
    freeze_reason_required: account.freezeReasonRequired,
    idle_freeze_days: account.idleFreezeDays,
    approval: account.approval && toApprovalSetting(account.approval),
    auto_freeze: account.autoFreeze && toAutoFreezeResource(account.autoFreeze),
    log_bodies: account.logBodies,
    spending_controls: account.spendingControls,
    suspended_at: account.suspendedAt?.toISOString() ?? null,
    stopped_at: account.stoppedAt?.toISOString() ?? null,
    created_at: account.createdAt.toISOString(),
    updated_at: account.updatedAt.toISOString(),
  };
}

/** Returns the members in a fixed order, because the database does not keep it. */
function toApprovalSetting({ threshold, for_keys }: StoredApproval): StoredApproval {
  return { threshold, for_keys };
}

/** Returns the members and reasons in a fixed order, because the database does not keep it. */
function toAutoFreezeResource({ declines, within_minutes, reasons }: StoredAutoFreeze) {
  const counted = reasons && COUNTED_REASONS.filter((reason) => reasons.includes(reason));
  return { declines, within_minutes, reasons: counted };
}

/** The account information that an integrator may change, by the names of its columns and in the API. */
export const INFORMATION_NAMES = {
  businessAddress: "business_address",
  webhookUrl: "webhook_url",
  domain: "domain",
} as const;

/** As `INFORMATION_NAMES`: settings, the look of cards, and registration data that may be added later. */
export const SETTING_NAMES = {
  lowBalanceThreshold: "low_balance_threshold",
  apiVersion: "api_version",
  idempotencyRequired: "idempotency_required",
  freezeReasonRequired: "freeze_reason_required",
  approval: "approval",
  autoFreeze: "auto_freeze",
  idleFreezeDays: "idle_freeze_days",
  logBodies: "log_bodies",
  spendingControls: "spending_controls",
  programName: "program_name",
  cardColor: "card_color",
  timeZone: "time_zone",
  contactNumber: "contact_number",
  country: "country",
  registrationNumber: "registration_number",
} as const;

export type AccountChanges = {
  [Name in keyof typeof INFORMATION_NAMES]?: Account[Name] | undefined;
};

type SettingName = keyof typeof SETTING_NAMES;

export type SettingsChanges = { [Name in SettingName]?: Account[Name] | undefined };

/** Settings as a request names them. */
type NamedSettings = {
  [Name in SettingName as (typeof SETTING_NAMES)[Name]]?: Account[Name] | undefined;
};

/** The changes of settings that a request asks for. */
export function parseSettings(body: NamedSettings): SettingsChanges {
  const named = body.auto_freeze
    ? { ...body, auto_freeze: toAutoFreezeResource(body.auto_freeze) }
    : body;
  const changes = Object.entries(SETTING_NAMES).map(([name, member]) => [name, named[member]]);
  // Each name belongs to the member of its type.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(changes) as SettingsChanges;
}

/** Phrases for members in sentences that people read. A member without one is called by its name. */
export const MEMBER_PHRASES: Readonly<Record<string, string>> = {
  webhook_url: "the webhook URL",
  low_balance_threshold: "the low-balance threshold",
  api_version: "the default API version",
  log_bodies: "whether the API log keeps bodies",
  idempotency_required: "whether idempotency keys are required",
  freeze_reason_required: "whether freezes need a reason",
  approval: "when moves need a second person",
  auto_freeze: "the automatic freeze",
  idle_freeze_days: "the freeze of idle cards",
};

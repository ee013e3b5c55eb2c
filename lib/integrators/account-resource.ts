import type { Account } from "#lib/integrators/integrators.ts";

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
    log_bodies: account.logBodies,
    suspended_at: account.suspendedAt?.toISOString() ?? null,
    created_at: account.createdAt.toISOString(),
    updated_at: account.updatedAt.toISOString(),
  };
}

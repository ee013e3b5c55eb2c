import type { registerIntegrator as Operation } from "#lib/operations/account/register-integrator.ts";
import { limitRegistrations } from "#lib/api/edge/limits.ts";
import type { BodyOf } from "#lib/api/edge/read-input.ts";
import { toAccountResource } from "#lib/integrators/account-resource.ts";
import type { Reply } from "#lib/api/wire/answer.ts";
import type { RequestOrigin } from "#lib/base/context.ts";
import { env } from "#lib/base/env.ts";
import { toNetwork } from "#lib/base/ip-address.ts";
import { registerIntegrator } from "#lib/integrators/integrators.ts";
import type { Registration } from "#lib/integrators/integrators.ts";
import { refuseWeakPassword } from "#lib/staff/password-strength.ts";
import { hashPassword } from "#lib/staff/passwords.ts";
import { refuseEndpointUrl } from "#lib/webhooks/endpoint-url.ts";
import { database } from "#db/client.ts";
import { inTransaction } from "#db/transaction.ts";

type Body = BodyOf<typeof Operation>;

/** Registers an integrator: the one write without a known caller. */
export async function register(
  request: RequestOrigin,
  body: Body,
): Promise<Reply<(typeof Operation)["answer"]>> {
  limitRegistrations(request.address);
  const refusal = await refuseEndpointUrl(body.webhook_url);
  if (refusal) {
    throw refusal;
  }
  const { environment } = env();
  const about = [body.first_name, body.last_name, body.email, body.business_name];
  await refuseWeakPassword(body.password, about, "password");
  const registration = toRegistration(
    body,
    await hashPassword(body.password, toNetwork(request.address)),
  );
  const { account, apiKey } = await inTransaction(database(), (tx) =>
    // Nobody has verified that the email is theirs.
    registerIntegrator({ tx, request, environment, vouched: false }, registration),
  );
  return { body: { data: { ...toAccountResource(account), api_key: apiKey } } };
}

/** Converts a validated body to an integrator and its owner. */
export function toRegistration(body: Body, passwordHash: string): Registration {
  const [currency = "USD"] = body.float_currencies;
  return {
    businessName: body.business_name,
    businessAddress: body.business_address,
    contactNumber: body.contact_number,
    country: body.country,
    domain: body.domain,
    email: body.email,
    firstName: body.first_name,
    lastName: body.last_name,
    passwordHash,
    registrationNumber: body.registration_number,
    webhookUrl: body.webhook_url,
    currency,
  };
}

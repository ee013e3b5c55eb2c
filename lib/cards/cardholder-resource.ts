import type { Cardholder } from "#lib/cards/cardholder-reads.ts";
import { isErased } from "#lib/cards/cardholder-state.ts";

/** A cardholder, as answers show them. */
export function toUserResource(cardholder: Cardholder) {
  return {
    id: cardholder.id,
    card_integrator_id: cardholder.integratorId,
    email: cardholder.email,
    first_name: cardholder.firstName,
    last_name: cardholder.lastName,
    phone_number: cardholder.phoneNumber,
    id_type: cardholder.idType,
    id_last4: cardholder.idLast4,
    address: toAddressResource(cardholder.address),
    user_photo: cardholder.userPhoto,
    verified: cardholder.verified,
    archived: cardholder.archived,
    erasure: cardholder.erasedAt && {
      status: isErased(cardholder) ? ("completed" as const) : ("in_progress" as const),
      began_at: cardholder.erasedAt.toISOString(),
    },
    created_at: cardholder.createdAt.toISOString(),
    updated_at: cardholder.updatedAt.toISOString(),
  };
}

/** An address in its wire form. */
export function toAddressResource({ zipCode, ...address }: Cardholder["address"]) {
  return { ...address, zip_code: zipCode };
}

/** An address in its domain form. */
export function toAddress({
  zip_code: zipCode,
  ...address
}: ReturnType<typeof toAddressResource>): Cardholder["address"] {
  return { ...address, zipCode };
}

import { getUser } from "#lib/operations/cardholders/get-user.ts";
import { updateUser } from "#lib/operations/cardholders/update-user.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toAddress, toUserResource } from "#lib/cards/cardholder-resource.ts";
import { getCardholder } from "#lib/cards/cardholder-reads.ts";
import type { Cardholder } from "#lib/cards/cardholder-reads.ts";
import { updateCardholder } from "#lib/cards/cardholders.ts";

export const GET = serve(getUser, {
  read: async (ctx, { id }) => ({
    body: { data: toUserResource(await getCardholder(ctx, id)) },
  }),
});

export const PATCH = serve(updateUser, {
  update: (ctx, { id, body }) =>
    updateCardholder(ctx, id, {
      email: body.email,
      firstName: body.first_name,
      lastName: body.last_name,
      phoneNumber: body.phone_number,
      address: body.address && toAddress(body.address),
      userPhoto: body.user_photo,
    }),
  toBody: (cardholder: Cardholder) => ({ data: toUserResource(cardholder) }),
});

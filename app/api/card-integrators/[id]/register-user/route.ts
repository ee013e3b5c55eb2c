import { registerUser as operation } from "#lib/operations/cardholders/register-user.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toAddress, toUserResource } from "#lib/cards/cardholder-resource.ts";
import { registerCardholder } from "#lib/cards/cardholders.ts";
import { requireOwnAccount } from "#lib/integrators/integrators.ts";

export const POST = serve(operation, {
  change: async (ctx, { id, body }) => {
    requireOwnAccount(ctx, id);
    const cardholder = await registerCardholder(ctx, {
      email: body.email,
      firstName: body.first_name,
      lastName: body.last_name,
      phoneNumber: body.phone_number,
      idType: body.id_type,
      idNumber: body.id_number,
      address: toAddress(body.address),
      userPhoto: body.user_photo,
    });
    return { body: { data: toUserResource(cardholder) } };
  },
});

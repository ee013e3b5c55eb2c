import { makePasswordReset as operation } from "#lib/operations/staff/make-password-reset.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toLinkUrl } from "#lib/api/edge/link-url.ts";
import { toLinkResource } from "#lib/staff/staff-resource.ts";
import { makePasswordReset } from "#lib/staff/staff-links.ts";

export const POST = serve(operation, {
  change: async (ctx, { id }) => {
    const { link, token } = await makePasswordReset(ctx, id);
    return { body: { data: toLinkResource(link), link: toLinkUrl(link.kind, token) } };
  },
});

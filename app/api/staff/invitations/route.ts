import { inviteStaff as operation } from "#lib/operations/staff/invite-staff.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { limitInvitations } from "#lib/api/edge/limits.ts";
import { toLinkUrl } from "#lib/api/edge/link-url.ts";
import { toLinkResource } from "#lib/staff/staff-resource.ts";
import { inviteStaff } from "#lib/staff/staff-links.ts";

export const POST = serve(operation, {
  prepare: ({ request }) => limitInvitations(request.address),
  change: async (ctx, { body }) => {
    const { link, token } = await inviteStaff(ctx, body);
    return { body: { data: toLinkResource(link), link: toLinkUrl(link.kind, token) } };
  },
});

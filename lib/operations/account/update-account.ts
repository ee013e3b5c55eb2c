import { z } from "zod";
import { requireOne, text } from "#lib/api/contract/fields.ts";
import { accountSchema, ACCOUNT as SAMPLE } from "#lib/api/contract/account.ts";
import { domainSchema, webhookUrlSchema } from "#lib/base/account-fields.ts";
import { ADDRESS_MAX } from "#lib/operations/account/parts.ts";
import { operation } from "#lib/operations/operation.ts";

export const updateAccount = operation({
  id: "updateAccount",
  method: "PATCH",
  path: "/card-integrators/update",
  summary: "Update account information: only business_address, webhook_url, and domain",
  description:
    "Send any of the three members; the others keep their values. If one of them is not valid, nothing changes. A webhook_url of null turns notifications off.",
  attempt: "change the account",
  kind: "write",
  tagged: true,
  scope: "account:write",
  since: "0.2.0",
  body: z
    .strictObject({
      business_address: text(ADDRESS_MAX),
      webhook_url: webhookUrlSchema.nullable(),
      domain: domainSchema,
    })
    .partial()
    .check((context) =>
      requireOne(context.value, ["business_address", "webhook_url", "domain"], context),
    )
    .meta({ minProperties: 1 }),
  answer: z.strictObject({ data: accountSchema }),
  examples: [
    {
      body: { domain: "northwind.example" },
      answer: { data: SAMPLE },
    },
  ],
});

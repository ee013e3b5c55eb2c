import { z } from "zod";
import { logSafe } from "#lib/base/log-safe.ts";
import { operation } from "#lib/operations/operation.ts";

const merchantCategorySchema = z
  .strictObject({
    code: logSafe(z.string()).describe("Four digits."),
    name: logSafe(z.string()).describe("In English."),
  })
  .meta({ id: "MerchantCategory" });

export const listMerchantCategories = operation({
  id: "listMerchantCategories",
  method: "GET",
  path: "/merchant-categories",
  summary: "List merchant categories",
  description: "Every category of ISO 18245 that spending controls can name, by its code.",
  kind: "read",
  scope: "cards:read",
  staffOnly: true,
  answer: z.strictObject({ data: z.array(merchantCategorySchema) }),
  examples: [{ answer: { data: [{ code: "5411", name: "Grocery Stores, Supermarkets" }] } }],
});

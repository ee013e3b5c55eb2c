import { listMerchantCategories as operation } from "#lib/operations/cards/list-merchant-categories.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { listCategories } from "#lib/transactions/merchant-category.ts";

export const GET = serve(operation, {
  read: () => Promise.resolve({ body: { data: listCategories() } }),
});

import { createAuthorization as operation } from "#lib/operations/processor/create-authorization.ts";
import { serveNetwork } from "#lib/api/edge/serve-network.ts";
import { adviseAndBook } from "#lib/api/commit/advise-and-book.ts";
import { toAdviceReply, toDecisionReply } from "#lib/api/wire/processor-reply.ts";
import { toAdvice, toAuthorization } from "#lib/processor/messages.ts";

export const POST = serveNetwork(operation, {
  toRequest: ({ body }) => ({ ...toAuthorization(body), allowPartial: body.allow_partial }),
  toReply: (decision) => ({ body: toDecisionReply(decision) }),
  advise: async (ctx, { body }) => toAdviceReply(await adviseAndBook(ctx, toAdvice(body))),
});

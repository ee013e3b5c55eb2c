import { z } from "zod";
import { requestWithBodiesSchema } from "#lib/api/contract/logged-request.ts";
import { LOGGED_REQUEST } from "#lib/operations/access/samples.ts";
import { operation } from "#lib/operations/operation.ts";
import { IDS, REQUEST_ID } from "#lib/api/contract/samples.ts";

const CREDIT_BODY = JSON.stringify({ card_id: IDS.card, amount: 2_000 });

const REFUSAL_BODY = JSON.stringify({
  type: "/docs/errors#insufficient_float",
  title: "Insufficient float",
  status: LOGGED_REQUEST.status,
  detail: LOGGED_REQUEST.detail,
  instance: LOGGED_REQUEST.path,
  code: LOGGED_REQUEST.code,
  request_id: REQUEST_ID,
  message: "Unprocessable entity",
  errors: { amount: [LOGGED_REQUEST.detail] },
});

export const getLoggedRequest = operation({
  id: "getLoggedRequest",
  method: "GET",
  path: "/api-log/{id}",
  summary: "Get a request of the API log with its bodies, as far as they are kept",
  description:
    "Bodies are kept for 7 days, the rest for 30. Values that may hold personal data are [redacted].",
  kind: "read",
  scope: "audit:read",
  staffOnly: true,
  notFound: "request_not_found",
  answer: z.strictObject({ data: requestWithBodiesSchema }),
  examples: [
    {
      id: IDS.entry,
      answer: {
        data: {
          ...LOGGED_REQUEST,
          bodies: "kept",
          request: {
            form: "whole",
            unknown_members: 0,
            text: CREDIT_BODY,
            body: JSON.parse(CREDIT_BODY),
          },
          response: {
            form: "whole",
            unknown_members: 0,
            text: REFUSAL_BODY,
            body: JSON.parse(REFUSAL_BODY),
          },
        },
      },
    },
  ],
});

import type { AnswerOf } from "#lib/api/client.ts";
import type { OPERATIONS } from "../../../client/operations.ts";

/** A cardholder, as the API shows it. */
export type CardholderResource = AnswerOf<typeof OPERATIONS.updateUser>["data"];

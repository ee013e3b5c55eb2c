import { z } from "zod";
import { id } from "#lib/api/contract/internal/answer-members.ts";

/** A card among others of which nothing else is said, in answers. */
export const namedCard = {
  card_id: id,
  card_name: z.string().describe("The name on the card."),
  last4: z.string().describe("The last four digits of its number."),
};

import { z } from "zod";
import { id } from "#lib/api/contract/internal/answer-members.ts";

/** A card in a list of cards, in answers that say nothing else about it. */
export const namedCard = {
  card_id: id,
  card_name: z.string().describe("The name on the card."),
  last4: z.string().describe("The last four digits of its number."),
};

import type { Cases } from "#test/scene/refusal-cases.ts";
import { closeCard } from "#lib/operations/cards/close-card.ts";

export const operation = closeCard;

export const cases: Cases<typeof closeCard> = {};

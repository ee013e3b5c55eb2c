import { heldCases } from "#test/scene/purchase-refusals.ts";
import type { Cases } from "#test/scene/refusal-cases.ts";
import { createIncrement } from "#lib/operations/processor/create-increment.ts";

export const operation = createIncrement;

export const cases: Cases<typeof createIncrement> = {
  ...heldCases("createIncrement"),
};

import { z } from "zod";
import { floatBalance, money } from "#lib/api/contract/event-members.ts";
import type { Part } from "#lib/sentences/say.ts";

export const threshold = money
  .nullable()
  .describe("The account's low_balance_threshold, in minor units; null without one.");

export const FLOAT_LEVEL = z
  .strictObject({ balance: floatBalance, threshold })
  .meta({ id: "FloatLevel" });

/** The start of a sentence. */
export const THE_FLOAT: Part = { text: "The float", href: "/float" };

import type { z } from "zod";
import type { OPERATIONS } from "../../../client/operations.ts";
import type { Choosable } from "./open-holds.ts";
import type { AnswerOf, BodyOf } from "#lib/api/client.ts";
import type { cardSchema } from "#lib/api/contract/card.ts";
import type { DeclineReason } from "#lib/transactions/decline-rules.ts";

/** What the parts of a card's page share. */

export type CardResource = z.output<typeof cardSchema>;

/** The actions on a card; a URL can request one. */
export const ACTS = [
  "freeze",
  "unfreeze",
  "lost",
  "credit",
  "debit",
  "withdraw",
  "simulate",
  "close",
] as const;

export type Act = (typeof ACTS)[number];

/** What the simulator can work on, and why this person may not use it; null in live, where nothing is simulated. */
export interface Simulation {
  disabledReason: string | null;
  purchases: readonly Choosable[];
}

export type SimulationBody = BodyOf<typeof OPERATIONS.mockTransaction>;

export type SimulationKind = Exclude<SimulationBody["type"], "deduct-reversal">;

/** A message that arrives before its authorization: its capture in full, or its reversal. */
export type Earlier = NonNullable<SimulationBody["earlier"]>[number]["type"];

/** The simulation to run. The amount is as typed. */
export interface Draft extends Record<string, unknown> {
  kind: SimulationKind;
  amount: string;
  of: string | null;
  declineWith: DeclineReason | null;
  allowPartial: boolean;
  /** What arrives before the authorization, if something does. */
  earlier: Earlier | null;
  merchant: string;
  narrative: string;
}

export type Simulated = AnswerOf<typeof OPERATIONS.mockTransaction>["data"];

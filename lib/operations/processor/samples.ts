import { IDS } from "#lib/operations/samples.ts";

export const NETWORK_ACTOR = { type: "processor", id: IDS.apiKey, name: "Card network" };

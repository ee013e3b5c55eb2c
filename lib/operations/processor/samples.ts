import { IDS } from "#lib/api/contract/samples.ts";

export const NETWORK_ACTOR = { type: "processor", id: IDS.apiKey, name: "Card network" };

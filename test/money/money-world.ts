import type { Db } from "#db/client.ts";

/** An integrator of a life, with its cards. */
export interface MoneyAccount {
  id: string;
  apiKey: string;
  cardIds: readonly string[];
}

/** Where lives are lived: in this process, or on servers. */
export interface MoneyWorld {
  db: Db;
  processorKey: string;
  /** A new integrator whose float has `float` minor units, and a card for each of `singleUse` with `balance`. */
  open(wanted: {
    float: number;
    balance: number;
    singleUse: readonly boolean[];
  }): Promise<MoneyAccount>;
  /** Sends a request to the API. */
  call(
    line: string,
    wanted: { key: string; body: object; headers: Record<string, string> },
  ): Promise<{ text: string; json: unknown }>;
}

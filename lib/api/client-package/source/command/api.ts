/** What the command needs of the client: the class is made from the contract, and so typed by the package itself. */

export interface FeedEvent {
  id: string;
  event: string;
  subject: { type: string; id: string };
  sequence: number;
}

export interface Feed {
  data: FeedEvent[];
  next_cursor: string;
}

export interface Card {
  id: string;
}

export interface User {
  id: string;
}

export interface Account {
  id: string;
  business_name: string;
  domain: string;
  environment: string;
  webhook_url: string | null;
  float_currencies: string[];
  low_balance_threshold: number | null;
}

type Options = { signal?: AbortSignal; maxRetries?: number };
type Body = Record<string, unknown>;

export interface Api {
  account: { get(options?: Options): Promise<{ data: Account }> };
  settings: { update(body: Body): Promise<unknown> };
  float: {
    get(): Promise<{ balance: number; available: number }>;
    topUp(body: Body): Promise<unknown>;
  };
  cards: {
    list(query: Body): PromiseLike<Card[]> & AsyncIterable<Card>;
    createVirtual(body: Body): Promise<{ data: Card }>;
  };
  users: {
    list(query: Body): PromiseLike<{ data: User[] }>;
    register(accountId: string, body: Body): Promise<{ data: User }>;
  };
  events: { list(query: Body, options?: Options): PromiseLike<Feed> };
}

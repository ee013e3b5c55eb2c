/** A request that the real server answers as shown; a test sends each. */
export interface Example {
  /** The id or key in the path. */
  id?: string;
  query?: Readonly<Record<string, string>>;
  body?: Readonly<Record<string, unknown>>;
  answer: unknown;
}

/** What the reference says about an operation beyond its contract. */
export interface Entry {
  description: string;
  example: Example;
}

/** The entries of one noun, by the operation's id. */
export type Entries = Readonly<Record<string, Entry>>;

import type { Card, EventName, Floatdeck, WebhookEvent } from "./client/index.js";

export type {
  Account,
  Card,
  ErrorCode,
  EventName,
  Floatdeck,
  FloatdeckError,
  Transaction,
  User,
  WebhookEvent,
} from "./client/index.js";

export interface StartOptions {
  /** Whether the dashboard is served too: for suites that open it in a browser, and for `newKey`. Default: false. */
  pages?: boolean;
  /** Settings of the server by their names, for example `{ SANDBOX_RATE_LIMIT: "0" }`. */
  settings?: Readonly<Record<string, string>>;
  /** For how many milliseconds to wait until the server is ready, on a slow machine. Default: 60,000. */
  timeout?: number;
}

export interface ConnectOptions {
  /** The address of a running sandbox. */
  baseUrl: string;
}

/** A sandbox to test against. */
export interface Sandbox {
  /** Its address: of the sign-in page with `/sign-in`, of the API with `/api`. */
  baseUrl: string;
  /** Registers an integrator that no other test knows. Its float holds 1,000,000 minor units unless you say otherwise. */
  newAccount(options?: AccountOptions): Promise<TestAccount>;
  /** Closes the receivers of all accounts. */
  stop(): Promise<void>;
}

/** A server of this suite's own. It ends with the process that started it, and leaves nothing behind. */
export interface RunningFloatdeck extends Sandbox {
  /** What the server printed: at most the last 200,000 characters. */
  log(): string;
  /** Stops the server, and removes its database. Resolves when both are gone. */
  stop(): Promise<void>;
}

export interface AccountOptions {
  /** The first top-up of the float, in minor units; 0 for none. */
  float?: number;
  /** The currency of the float and the cards, ISO 4217. Default: USD. */
  currency?: string;
}

/** An integrator of one test. */
export interface TestAccount {
  id: string;
  /** Of the owner, who signs in with it. */
  email: string;
  password: string;
  /** Has every scope that a key can have. */
  apiKey: string;
  /** The client library, with this account's key. */
  client: Floatdeck;
  /** Issues an active card to a new cardholder, and credits it with `balance`. */
  newCard(options?: CardOptions): Promise<Card>;
  /** Creates one more API key. Signs the owner in, so it needs pages. @returns the key. */
  newKey(options: KeyOptions): Promise<string>;
  /**
   * The newest mail of this account to an address; waits up to ten seconds for one. Signs the owner in, so it needs pages.
   * @throws Error when there is none, or when the server has an `SMTP_URL` and sends its mail.
   */
  lastMail(to: string): Promise<Mail>;
  /** Advances the sandbox clock. When it resolves, everything due on the way has happened. */
  advanceClock(by: Duration | Date): Promise<void>;
  /** Receives this account's webhooks from now on. Its webhook URL and signing secret become those of the receiver. */
  receiveWebhooks(): Promise<WebhookReceiver>;
}

export interface CardOptions {
  /** In minor units, from the float. Default: 0. */
  balance?: number;
  /** Default: false. */
  singleUse?: boolean;
  /** Default: 365. */
  validityDays?: number;
}

export interface KeyOptions {
  scopes: readonly string[];
  name?: string;
}

/** Mail as a person would get it. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Where its button leads, such as to the page of an invitation. */
  link: string;
}

/** The sum of its members. */
export interface Duration {
  days?: number;
  hours?: number;
  minutes?: number;
  seconds?: number;
}

export interface WebhookReceiver {
  url: string;
  secret: string;
  /** The verified events, in the order of their arrival. */
  readonly events: readonly WebhookEvent[];
  /** Why each other request was refused. */
  readonly refused: readonly string[];
  /**
   * Resolves with the first verified event of this name, at once if it has arrived already.
   * @throws Error that lists what did arrive, after `timeoutMs`.
   */
  waitFor<Name extends EventName>(
    name: Name,
    options?: WaitOptions<Name>,
  ): Promise<Extract<WebhookEvent, { event: Name }>>;
  /** Stops receiving, and removes the account's webhook URL. */
  close(): Promise<void>;
}

export interface WaitOptions<Name extends EventName> {
  /** Which of the events of this name, for example that of one card. Default: any. */
  where?: (event: Extract<WebhookEvent, { event: Name }>) => boolean;
  /** Default: 10,000. */
  timeoutMs?: number;
}

/**
 * Starts a sandbox for this suite: with an empty database of its own, on a free port, in about three seconds. Run `npm run
 * testing:prepare` in the checkout before, once per version.
 * @throws Error with what the server printed, when it does not become ready.
 */
export declare function startFloatdeck(options?: StartOptions): Promise<RunningFloatdeck>;

/** Uses a sandbox that is already running. */
export declare function connectFloatdeck(options: ConnectOptions): Sandbox;

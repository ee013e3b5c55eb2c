import { setTimeout as sleep } from "node:timers/promises";
import { PASSWORD } from "#test/scene/people.ts";
import type { Random } from "#test/faults/fuzz-random.ts";
import type { Collector } from "./collector.ts";
import type { Customer } from "./customer.ts";
import type { Recorded } from "./history.ts";
import { isAcknowledged } from "./history.ts";
import { post } from "./asks.ts";
import { openSession } from "./session.ts";
import type { Session } from "./session.ts";
import type { Ask } from "./send.ts";

const PAUSE_MS = 100;
/** Only ends a wait for a database that does not come back. */
const SIGN_IN_MS = 60_000;

/** What an administrator's requests reach. */
interface Place {
  servers: readonly string[];
  ownerUrl: string;
  collector: Collector;
}

/** Sends an administrator's requests: as the integrator's key, as its owner, or as somebody whom the owner invited. */
export class AdminClient {
  readonly customer: Customer;
  readonly servers: readonly string[];
  readonly collector: Collector;
  /** Keys that were revoked, which are tried out again and again. */
  readonly revokedKeys: { id: string; key: string }[] = [];
  private readonly ownerUrl: string;
  private owner: Session | null = null;

  constructor(customer: Customer, { servers, ownerUrl, collector }: Place) {
    this.customer = customer;
    this.servers = servers;
    this.ownerUrl = ownerUrl;
    this.collector = collector;
  }

  get random(): Random {
    return this.customer.random;
  }

  get integratorId(): string {
    return this.customer.integratorId;
  }

  newMarker(): string {
    return this.random.uuid();
  }

  /** Sends a request with the integrator's key. */
  asKey(ask: Ask): Promise<Recorded> {
    return this.customer.perform(ask);
  }

  /** Sends a request of the owner, who signs in, or types the password once more, when that is necessary. */
  async asOwner(ask: Ask): Promise<Recorded> {
    this.owner ??= await this.signIn(this.customer.email);
    const answer = await this.as(this.owner.headers, ask);
    if (answer.status === 401) {
      this.owner = await this.signIn(this.customer.email);
      return this.as(this.owner.headers, ask);
    }
    if (answer.code === "fresh_sign_in_required") {
      const body = { password: PASSWORD, code: null };
      await this.as(this.owner.headers, {
        ...post("confirmSelf", "/staff/me/confirm", { body }),
        repeat: "performed",
      });
      return this.as(this.owner.headers, ask);
    }
    return answer;
  }

  /** Sends a request of a person, of another key, or of nobody. */
  as(headers: Readonly<Record<string, string>>, ask: Ask): Promise<Recorded> {
    return this.customer.performAs(headers, ask);
  }

  /** Waits for the database. @throws Error when it does not come back, or when nobody has this email. */
  async signIn(email: string): Promise<Session> {
    const session = await this.openSession(email);
    if (session === null) {
      throw new Error(`Nobody has the email ${email}.`);
    }
    return session;
  }

  private async openSession(email: string): Promise<Session | null> {
    const deadline = performance.now() + SIGN_IN_MS;
    for (;;) {
      try {
        return await openSession(this.ownerUrl, email);
      } catch (error) {
        if (performance.now() > deadline) {
          throw error;
        }
        await sleep(PAUSE_MS);
      }
    }
  }

  /**
   * Reads, from any server, what an acknowledged change must have led to.
   * @param shows whether the answer is as it must be; it is the whole answer, with the members of its `data`.
   */
  requireShown(
    answer: Recorded,
    what: string,
    shows: (data: Readonly<Record<string, unknown>>) => boolean,
  ): void {
    if (isAcknowledged(answer) && !shows(answer.data)) {
      this.customer.history.staleReads.push(`${answer.operation} did not show ${what}`);
    }
  }

  /** Like `requireShown`, for what must be answered with this status from now on. */
  requireStatus(answer: Recorded, what: string, status: number): void {
    if (answer.status !== 0 && answer.status !== status) {
      this.customer.history.staleReads.push(
        `${what}: ${answer.operation} was answered ${answer.status} instead of ${status}`,
      );
    }
  }
}

/** The ids in a list. */
export function idsOf(list: unknown): string[] {
  return rowsOf(list).map(({ id }) => String(id));
}

/** The rows of a list. */
export function rowsOf(list: unknown): Record<string, unknown>[] {
  return Array.isArray(list) ? list : [];
}

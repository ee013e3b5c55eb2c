import { Webhook } from "standardwebhooks";
import { answer, startReceiver } from "#test/outside/receiver.ts";
import type { Receiver, Received } from "#test/outside/receiver.ts";

const UNMATCHED_MAX = 1_000;

/** The receiver of all integrators: it keeps what it got, and checks who signed it. */
export class Collector {
  readonly delivered = new Set<string>();
  /** Integrators whose receiver says that it is gone. */
  readonly gone = new Set<string>();
  private readonly secrets = new Map<string, string[]>();
  /** Notifications that no secret known so far has signed. A rotation may be on its way. */
  private readonly unmatched: { integratorId: string; received: Received }[] = [];
  private receiver: Receiver | undefined;

  static async start(): Promise<Collector> {
    const collector = new Collector();
    const [accept, refuse] = [answer(204), answer(410)];
    collector.receiver = await startReceiver((response, request) => {
      const received = collector.receiver?.received.pop();
      const isAccepted = received === undefined || collector.accept(received);
      (isAccepted ? accept : refuse)(response, request);
    });
    return collector;
  }

  get url(): string {
    return this.receiver?.url ?? "";
  }

  /** From now on, notifications of this integrator may be signed with this secret. */
  learn(integratorId: string, secret: string): void {
    this.secrets.set(integratorId, [...(this.secrets.get(integratorId) ?? []), secret]);
  }

  /** The notifications that none of their integrator's secrets has signed. */
  findBadSignatures(): string[] {
    return this.unmatched
      .filter(({ integratorId, received }) => !this.isSigned(integratorId, received))
      .map(
        ({ received }) =>
          `${String(received.headers["webhook-id"])} was signed with none of the secrets`,
      );
  }

  async stop(): Promise<void> {
    await this.receiver?.stop();
  }

  private accept(received: Received): boolean {
    const { integrator_id: integratorId }: { integrator_id: string } = JSON.parse(received.body);
    if (this.gone.has(integratorId)) {
      return false;
    }
    this.delivered.add(String(received.headers["webhook-id"]));
    if (!this.isSigned(integratorId, received) && this.unmatched.length < UNMATCHED_MAX) {
      this.unmatched.push({ integratorId, received });
    }
    return true;
  }

  private isSigned(integratorId: string, { headers, body }: Received): boolean {
    const id = String(headers["webhook-id"]);
    const sentAt = new Date(Number(headers["webhook-timestamp"]) * 1_000);
    const given = new Set(String(headers["webhook-signature"]).split(" "));
    // The newest first.
    return (this.secrets.get(integratorId) ?? [])
      .toReversed()
      .some((secret) => given.has(new Webhook(secret).sign(id, sentAt, body)));
  }
}

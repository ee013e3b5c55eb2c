import type { AdminClient } from "./admin-client.ts";
import type { PausableWorkload } from "./pausable-workload.ts";
import { serveCardholder } from "./routines/cardholders.ts";
import { recoverFurther, useFurtherEndpoint } from "./routines/further-endpoint.ts";
import { replaceKey, tryRevokedKey } from "./routines/keys.ts";
import { disinvite, employ } from "./routines/people.ts";
import {
  changeSettings,
  loseEndpoint,
  moveEndpoint,
  pauseEndpoint,
  readEverything,
  recover,
  revealSecret,
  rotateSecret,
} from "./routines/webhooks.ts";

type Routine = (client: AdminClient) => Promise<void>;

const ROUTINES: readonly Routine[] = [
  serveCardholder,
  replaceKey,
  tryRevokedKey,
  employ,
  disinvite,
  moveEndpoint,
  useFurtherEndpoint,
  rotateSecret,
  changeSettings,
  readEverything,
];

/**
 * What switches notifications off and recovers what was missed. One integrator alone does it: a recovery also sends what
 * was lost, which the checker would not see.
 */
const PAUSES: readonly Routine[] = [pauseEndpoint, loseEndpoint];

/** Does everything that is neither a payment nor a movement of funds, for one integrator. */
export class Administrator {
  private readonly client: AdminClient;
  private readonly pauses: boolean;
  private waiting: Routine[] = [];

  /** @param pauses whether notifications are switched off at times. */
  constructor(client: AdminClient, pauses: boolean) {
    this.client = client;
    this.pauses = pauses;
  }

  /** Shows the receiver the secret that it was created with. */
  async prepare(): Promise<void> {
    await revealSecret(this.client);
  }

  /** Does one thing after another until told to stop; each once before any of them again. */
  async work(isOver: () => boolean, workload: PausableWorkload): Promise<void> {
    while (!isOver()) {
      await workload.step(() => this.perform(this.pick()));
    }
  }

  /** Once everybody rests: has that sent which was changed while notifications were off. */
  async settle(): Promise<void> {
    if (this.pauses) {
      await this.perform(recover);
      await this.perform(recoverFurther);
    }
  }

  /** A routine that cannot go on misses what it was acknowledged before. */
  private async perform(routine: Routine): Promise<void> {
    try {
      await routine(this.client);
    } catch (error) {
      this.client.customer.history.interrupted.push(`${routine.name}: ${String(error)}`);
    }
  }

  private pick(): Routine {
    const all = this.pauses ? [...ROUTINES, ...PAUSES] : ROUTINES;
    this.waiting = this.waiting.length > 0 ? this.waiting : [...all];
    const routine = this.client.random.pick(this.waiting);
    this.waiting = this.waiting.filter((each) => each !== routine);
    return routine;
  }
}

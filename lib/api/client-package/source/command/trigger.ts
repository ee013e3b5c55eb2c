import type { Api, FeedEvent } from "./api.ts";
import { CommandFailure } from "./failure.ts";
import { pull } from "./triggers.ts";
import type { Trigger } from "#lib/events/event.ts";

const WAIT_S = 10;

/** Makes an event happen, and says to what. @throws CommandFailure when that is not possible here. */
export async function trigger(
  api: Api,
  name: string,
  cause: Trigger | null | undefined,
): Promise<void> {
  if (cause === null) {
    throw new CommandFailure(
      `An API key cannot make ${name} happen: see its page in the reference.`,
      2,
    );
  }
  if (!cause) {
    throw new CommandFailure(`There is no event ${name}. See --help for the list.`, 2);
  }
  const { data: account } = await api.account.get();
  if (account.environment !== "sandbox") {
    throw new CommandFailure("trigger works in the sandbox only: this server moves real money.");
  }
  const { next_cursor: before } = await api.events.list({ after: "now" });
  await pull(cause, { api, account });
  const { data } = await api.events.list({ after: before, event: name, wait: WAIT_S });
  const event: FeedEvent | undefined = data.at(-1);
  if (!event) {
    throw new CommandFailure(`${name} did not happen within ${WAIT_S} seconds.`);
  }
  process.stdout.write(`${name}  ${event.subject.type} ${event.subject.id}  event ${event.id}\n`);
}

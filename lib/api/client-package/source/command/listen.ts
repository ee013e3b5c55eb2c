import { setTimeout as sleep } from "node:timers/promises";
import type { Api, Feed } from "./api.ts";
import { isConnectionError, isRefusal } from "./failure.ts";
import { forward } from "./forward.ts";
import type { Target } from "./forward.ts";
import { ListenState } from "./listen-state.ts";

const WAIT_S = 20;
const LIMIT = 100;
const RETRY_MS = 1_000;

interface Listening {
  target: string;
  file: string;
  url: string;
}

/** Forwards every event, from where the last run ended, until the process is told to stop. */
export async function listen(api: Api, { target, file, url }: Listening): Promise<void> {
  const stop = new AbortController();
  const { signal } = stop;
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.once(name, () => stop.abort());
  }
  const { data: account } = await api.account.get();
  const state = new ListenState(file, `${account.id} ${url}`);
  const listener = new Listener(api, state, { url: target, secret: state.secret, say, signal });
  await listener.begin();
  say(`Listening to ${account.business_name} (${account.environment}) on ${url}`);
  say(`Forwarding to     ${target}`);
  say(`Signing secret    ${state.secret}  (kept in ${file})`);
  try {
    while (!signal.aborted) {
      await listener.forwardNext();
    }
  } catch (error) {
    if (!signal.aborted) {
      throw error;
    }
  }
  say("Stopped. Start again to continue from here.");
}

class Listener {
  readonly #api: Api;
  readonly #state: ListenState;
  readonly #target: Target;

  constructor(api: Api, state: ListenState, target: Target) {
    this.#api = api;
    this.#state = state;
    this.#target = target;
  }

  /** The first time, starts from now. */
  async begin(): Promise<void> {
    if (this.#state.cursor === undefined) {
      const { next_cursor: cursor } = await this.#api.events.list({ after: "now" });
      this.#state.moveTo(cursor);
    }
  }

  /** Forwards a page of the feed, which lists the events of each subject in their order. */
  async forwardNext(): Promise<void> {
    const { data: events, next_cursor: cursor } = await this.#read(this.#state.cursor ?? "now");
    for (const event of events) {
      if (!this.#state.hasArrived(event.id)) {
        await forward(event, this.#target);
        this.#state.addArrived(event.id);
      }
    }
    this.#state.moveTo(cursor);
  }

  /** Reads on when the server is back. */
  async #read(after: string): Promise<Feed> {
    const { say: tell, signal } = this.#target;
    for (let failures = 0; ; failures += 1) {
      try {
        const page = await this.#api.events.list(
          { after, wait: WAIT_S, limit: LIMIT },
          { maxRetries: 0, signal },
        );
        if (failures > 0) {
          tell("Floatdeck answers again.");
        }
        return page;
      } catch (error) {
        if (signal.aborted || !isPassing(error)) {
          throw error;
        }
        if (failures === 0) {
          tell(`${error.message} Waiting for the server.`);
        }
        await sleep(RETRY_MS, undefined, { signal });
      }
    }
  }
}

/** Whether the request may succeed later: not when the key is wrong. */
function isPassing(error: unknown): error is Error {
  return isConnectionError(error) || (isRefusal(error) && !error.isFinal);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

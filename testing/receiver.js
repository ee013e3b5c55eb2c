// @ts-check
import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { loadClient } from "./client.js";

/**
 * @import { IncomingMessage } from "node:http"
 * @import { EventName, Floatdeck, WaitOptions, WebhookEvent, WebhookReceiver } from "./index.d.ts"
 */

const WAIT_MS = 10_000;

/** @type {WeakMap<Floatdeck, string>} */
const secrets = new WeakMap();

/**
 * Receives an account's webhooks in this process, and verifies each.
 * @param {Floatdeck} client
 * @returns {Promise<WebhookReceiver>}
 */
export async function receiveWebhooks(client) {
  const { verifyWebhook } = await loadClient();
  /** @type {WebhookEvent[]} */
  const events = [];
  /** @type {string[]} */
  const refused = [];
  const arrivals = new EventTarget();
  let secret = "";
  /** @param {IncomingMessage} request */
  const receive = async (request) => {
    try {
      events.push(await verifyWebhook(secret, request.headers, await text(request)));
      return 204;
    } catch (error) {
      refused.push(error instanceof Error ? error.message : String(error));
      return 400;
    } finally {
      arrivals.dispatchEvent(new Event("arrival"));
    }
  };
  const server = createServer((request, response) => {
    void receive(request).then((status) => response.writeHead(status).end());
  });
  // A suite that forgets to close it can end all the same.
  server.listen(0, "127.0.0.1").unref();
  await once(server, "listening");
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  const url = `http://127.0.0.1:${port}/webhooks`;
  secret = await secretOf(client);
  await client.account.update({ webhook_url: url });
  return {
    url,
    secret,
    events,
    refused,
    waitFor: (name, options) => waitFor({ events, refused, arrivals }, name, options),
    close: async () => {
      if (server.listening) {
        await client.account.update({ webhook_url: null });
        server.close();
        server.closeAllConnections();
      }
    },
  };
}

/**
 * The account's signing secret. It can be rotated a few times a day only, so each client does it once; what the client
 * knows still signs for a day after somebody else's rotation.
 * @param {Floatdeck} client
 * @returns {Promise<string>}
 */
async function secretOf(client) {
  const secret = secrets.get(client) ?? (await client.webhooks.rotateSecret()).data.secret;
  secrets.set(client, secret);
  return secret;
}

/**
 * @template {EventName} Name
 * @param {{ events: WebhookEvent[], refused: string[], arrivals: EventTarget }} received
 * @param {Name} name
 * @param {WaitOptions<Name>} [options]
 * @returns {Promise<Extract<WebhookEvent, { event: Name }>>}
 */
async function waitFor({ events, refused, arrivals }, name, options = {}) {
  const { where = () => true, timeoutMs = WAIT_MS } = options;
  /**
   * @param {WebhookEvent} event
   * @returns {event is Extract<WebhookEvent, { event: Name }>}
   */
  const isNamed = (event) => event.event === name;
  const find = () => events.filter(isNamed).find((event) => where(event));
  return new Promise((resolve, reject) => {
    const look = () => {
      try {
        const found = find();
        if (found) {
          finish();
          resolve(found);
        }
      } catch (error) {
        finish();
        reject(error);
      }
    };
    const timer = setTimeout(() => {
      finish();
      reject(new Error(describe({ name, timeoutMs, events, refused })));
    }, timeoutMs);
    const finish = () => {
      clearTimeout(timer);
      arrivals.removeEventListener("arrival", look);
    };
    arrivals.addEventListener("arrival", look);
    look();
  });
}

/** @param {{ name: string, timeoutMs: number, events: WebhookEvent[], refused: string[] }} wait */
function describe({ name, timeoutMs, events, refused }) {
  const arrived = events.map(({ event, subject }) => `${event} (${subject.type} ${subject.id})`);
  return [
    `No ${name} that you wait for arrived within ${timeoutMs / 1_000} s.`,
    arrived.length > 0 ? `Arrived: ${arrived.join(", ")}.` : "Nothing arrived.",
    ...(refused.length > 0 ? [`Refused, unverified: ${refused.join(" ")}`] : []),
  ].join(" ");
}

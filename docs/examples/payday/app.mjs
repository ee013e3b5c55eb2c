import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { WebhookVerificationError } from "floatdeck";
import { enroll } from "./enroll.mjs";
import { receive, subscribe } from "./receive.mjs";
import { finishReports, report, stateOf } from "./report.mjs";
import { one } from "./store.mjs";

const PORT = Number(process.env.PAYDAY_PORT ?? 4_100);
const BODY_MAX = 1_000_000;
const PAUSE_MS = 1_000;

/** Anyone can send to this address, so a body is bounded. */
async function readBody(request) {
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) {
    body += chunk;
    if (body.length > BODY_MAX) {
      throw new Error("The body is too large.");
    }
  }
  return body;
}

/** Only 2xx tells Floatdeck that the event is stored. After anything else, it sends the event again. */
async function answerWebhook(request) {
  try {
    await receive(request.headers, await readBody(request));
    return [204];
  } catch (error) {
    if (error instanceof WebhookVerificationError) {
      return [401];
    }
    throw error;
  }
}

/** 202 means that the report is stored, and that its card is frozen as soon as Floatdeck can be reached. */
async function answerReport(employee) {
  const id = report(employee);
  if (!id) {
    return [404];
  }
  await finishReports();
  const state = stateOf(id);
  return [state === "open" ? 202 : 200, { employee, state }];
}

function answerEmployee(employee) {
  const found = one(
    "select employee, card_id, status, balance from employees left join cards using (card_id) where employee = ?",
    employee,
  );
  return found ? [200, found] : [404];
}

async function answer(request) {
  const [, place, employee = "", action] = request.url.split("/");
  switch (`${request.method} ${[place, action].filter(Boolean).join(" ")}`) {
    case "POST webhooks":
      return answerWebhook(request);
    case "POST employees lost":
      return answerReport(employee);
    case "GET employees":
      return answerEmployee(employee);
    default:
      return [404];
  }
}

createServer(async (request, response) => {
  const [status, body] = await answer(request).catch((error) => {
    console.error(error);
    return [500];
  });
  response.writeHead(status, { "content-type": "application/json" });
  response.end(body && JSON.stringify(body));
}).listen(PORT, "127.0.0.1");

await enroll();
await subscribe(`http://127.0.0.1:${PORT}/webhooks`);
console.log(`Payday is ready on http://127.0.0.1:${PORT}.`);

for (;;) {
  await finishReports();
  await sleep(PAUSE_MS);
}

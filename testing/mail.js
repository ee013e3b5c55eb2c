// @ts-check
import { setTimeout as sleep } from "node:timers/promises";
import { signIn } from "./owner.js";

/** @import { Mail } from "./index.d.ts" */

const WAIT_MS = 10_000;
const POLL_MS = 100;

/**
 * Reads the outbox of a sandbox without a mail server, as the account's owner does it in the dashboard.
 * @param {string} baseUrl
 * @param {{ email: string, password: string }} owner
 * @param {string} to
 * @returns {Promise<Mail>}
 */
export async function lastMail(baseUrl, owner, to) {
  const headers = await signIn(baseUrl, owner, "lastMail");
  const query = new URLSearchParams({ to, limit: "1" });
  const deadline = performance.now() + WAIT_MS;
  for (;;) {
    const response = await fetch(`${baseUrl}/api/staff/messages?${query}`, { headers });
    const { data, detail } = await response.json();
    if (!response.ok) {
      throw new Error(`The outbox was refused with ${response.status}: ${detail}`);
    }
    const [last] = data;
    if (last?.state === "kept") {
      const { subject, text, html, link } = last;
      return { to: last.to, subject, text, html, link };
    }
    if (performance.now() > deadline) {
      const state = last ? `The last mail to ${to} is ${last.state}` : `There is no mail to ${to}`;
      throw new Error(`${state}. Is SMTP_URL set? The outbox keeps mail only without it.`);
    }
    await sleep(POLL_MS);
  }
}

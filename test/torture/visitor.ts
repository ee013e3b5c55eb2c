import { setTimeout as sleep } from "node:timers/promises";
import { Browser } from "#test/faults/browser.ts";
import { PASSWORD } from "#test/scene/people.ts";
import { Random } from "#test/faults/fuzz-random.ts";
import type { PausableWorkload } from "./pausable-workload.ts";

const PAGES = [
  "/overview",
  "/cards",
  "/transactions",
  "/float",
  "/cardholders",
  "/developers/api-log",
];
const PAUSE_MS = 1_000;
const RECOVERY_MS = 3_000;
/** The share of pages after which the visitor signs in anew. */
const ENDED = 0.02;
/** How many sign-ins begin with the email of nobody, whose failure is kept. */
const MISTYPED = 0.1;

/** A person who reads one page after another, signs in again when the session is over, and sometimes mistypes the email. */
export class Visitor {
  private readonly email: string;
  private readonly baseUrl: string;
  private readonly random: Random;
  private browser: Browser | null = null;
  /** How many pages it has read. */
  pages = 0;

  constructor(email: string, baseUrl: string, seed: number) {
    this.email = email;
    this.baseUrl = baseUrl;
    this.random = new Random(seed);
  }

  async visit(isOver: () => boolean, workload: PausableWorkload): Promise<void> {
    while (!isOver()) {
      await workload.step(() => this.readPage());
      await sleep(this.browser ? PAUSE_MS : RECOVERY_MS);
    }
  }

  /** While the server or its pages are down, the visitor waits; pages that fail otherwise are in the log. */
  private async readPage(): Promise<void> {
    try {
      this.browser ??= await this.signIn();
      const page = new URL(this.random.pick(PAGES), this.baseUrl).href;
      const answer = await this.browser.send(page);
      await answer.text();
      this.pages += answer.status === 200 ? 1 : 0;
      if (answer.status !== 200 || this.random.chance(ENDED)) {
        this.browser = null;
      }
    } catch {
      this.browser = null;
    }
  }

  private async signIn(): Promise<Browser> {
    const place = { form: this.baseUrl, target: this.baseUrl };
    if (this.random.chance(MISTYPED)) {
      const email = `${this.random.uuid()}@nobody.example`;
      await new Browser().signIn({ email, password: "mistyped" }, place).catch(() => undefined);
    }
    const browser = new Browser();
    await browser.signIn({ email: this.email, password: PASSWORD }, place);
    return browser;
  }
}

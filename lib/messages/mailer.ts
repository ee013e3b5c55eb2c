import { setTimeout as sleep } from "node:timers/promises";
import type { Env } from "#lib/base/env.ts";
import type { MailSettings } from "#lib/base/mail-settings.ts";
import { log } from "#lib/base/log.ts";
import { onMessage } from "#lib/base/wake.ts";
import { claimMessages, keepUnsent, recordSent } from "#lib/messages/internal/claim.ts";
import type { MessageClaim } from "#lib/messages/internal/claim.ts";
import { openContent } from "#lib/messages/internal/content.ts";
import { toFramed } from "#lib/messages/internal/frame.ts";
import { sendMail } from "#lib/messages/internal/send.ts";
import type { Sent } from "#lib/messages/internal/send.ts";
import type { Db } from "#db/client.ts";
import { timeLimit } from "#db/time-limits.ts";

export interface RunningMailer {
  /** Stops claiming, and waits until attempts in flight are recorded. Aborts those that take too long. */
  stop(): Promise<void>;
}

type MailerSettings = Pick<Env, "environment" | "mail" | "publicUrl">;

/** Concurrent attempts in one process. Few mail servers take more connections from one client. */
const IN_FLIGHT_MAX = 4;

/** How often it looks for messages when nothing wakes it. */
const POLL_MS = 1_000;

/**
 * Sends the messages of the outbox. Any number of mailers may run. Without a mail server, it ends waiting messages, so
 * that a server configured later does not send messages that are long out of date.
 */
export function startMailer(db: Db, settings: MailerSettings): RunningMailer {
  const mailer = new Mailer(db, settings);
  const running = mailer.run();
  return {
    stop: async () => {
      mailer.beginStopping();
      await Promise.race([running, sleep(timeLimit("workerDrain"), undefined, { ref: false })]);
      mailer.abandon();
      await running;
    },
  };
}

class Mailer {
  private readonly db: Db;
  private readonly settings: MailerSettings;
  private readonly forget: () => void;
  private readonly abort = new AbortController();
  private readonly sending = new Set<Promise<void>>();
  private isStopping = false;
  private woken = Promise.withResolvers<void>();

  constructor(db: Db, settings: MailerSettings) {
    this.db = db;
    this.settings = settings;
    this.forget = onMessage(() => this.woken.resolve());
  }

  async run(): Promise<void> {
    while (!this.isStopping) {
      this.woken = Promise.withResolvers();
      try {
        await this.turn();
      } catch (error) {
        log.error({ err: error }, "Could not claim messages; retrying.");
      }
      await Promise.race([this.woken.promise, sleep(POLL_MS, undefined, { ref: false })]);
    }
    await Promise.all(this.sending);
  }

  beginStopping(): void {
    this.isStopping = true;
    this.forget();
    this.woken.resolve();
  }

  /** Aborts the attempts in flight. Their messages are sent again with the same ids. */
  abandon(): void {
    this.abort.abort();
  }

  private async turn(): Promise<void> {
    const { mail, environment } = this.settings;
    if (!mail) {
      await keepUnsent(this.db, environment === "sandbox");
      return;
    }
    const room = IN_FLIGHT_MAX - this.sending.size;
    const claims = room > 0 ? await claimMessages(this.db, room) : [];
    for (const claim of claims) {
      const trying = this.attempt(claim, mail)
        .catch((error: unknown) =>
          log.error({ err: error }, "Could not record a message; it will be sent again."),
        )
        .finally(() => {
          this.sending.delete(trying);
          this.woken.resolve();
        });
      this.sending.add(trying);
    }
  }

  private async attempt(claim: MessageClaim, mail: MailSettings): Promise<void> {
    const sent = await this.send(claim, mail);
    if (sent.failure !== null) {
      log.warn({ messageId: claim.id, sent }, "A message could not be sent.");
    }
    await recordSent(this.db, claim, sent);
  }

  private async send(
    { id, email, aboutId, content }: MessageClaim,
    mail: MailSettings,
  ): Promise<Sent> {
    let framed;
    try {
      framed = toFramed(openContent(content, id), this.settings.publicUrl);
    } catch {
      return { failure: "refused", answer: "No secret of FLOATDECK_SECRET opens its text." };
    }
    return sendMail(mail, { ...framed, id, to: email, aboutId }, this.abort.signal);
  }
}

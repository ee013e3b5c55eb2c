import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import { SMTPServer } from "smtp-server";
import { CERTIFICATE, PRIVATE_KEY } from "./certificate.ts";

/** How a mail server treats a message. */
export type MailBehavior = "accept" | "refuse" | "defer" | "stall" | "drop";

/** A mail server on loopback, whose behavior the test defines. */
export interface MailServer {
  /** Its `SMTP_URL`. */
  url: string;
  /** What it has been given, dropped mail included. */
  received: { to: string[]; raw: string }[];
  /** How it treats messages from now on. */
  behave(behavior: MailBehavior): void;
  stop(): Promise<void>;
}

interface Options {
  /** The credentials that it requires, over TLS; by default, it offers neither. */
  login?: { user: string; pass: string };
}

/** Starts a mail server that accepts everything until it is told otherwise. */
export async function startMailServer({ login }: Options = {}): Promise<MailServer> {
  const received: MailServer["received"] = [];
  const sockets = new Set<Socket>();
  let behavior: MailBehavior = "accept";
  const server = new SMTPServer({
    // A handshake takes longer than all else.
    disabledCommands: login ? [] : ["STARTTLS"],
    authOptional: login === undefined,
    allowInsecureAuth: true,
    key: PRIVATE_KEY,
    cert: CERTIFICATE,
    closeTimeout: 1,
    disableReverseLookup: true,
    logger: false,
    onAuth: (given, _session, done) => {
      const isRight = given.username === login?.user && given.password === login?.pass;
      done(
        isRight ? null : new Error("Wrong credentials"),
        isRight ? { user: login?.user } : undefined,
      );
    },
    onRcptTo: (_address, _session, done) => {
      if (behavior === "refuse") {
        done(toError(550, "No such mailbox"));
      } else if (behavior === "defer") {
        done(toError(451, "Greylisted, try again later"));
      } else if (behavior !== "stall") {
        done();
      }
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        received.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString("utf8"),
        });
        if (behavior === "drop") {
          sockets.forEach((socket) => socket.destroy());
        } else {
          done();
        }
      });
    },
  });
  server.on("error", () => undefined);
  server.server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  // The server listens on a port, so its address is not a path.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}?tls.rejectUnauthorized=false`,
    received,
    behave: (next) => {
      behavior = next;
    },
    stop: async () => {
      sockets.forEach((socket) => socket.destroy());
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function toError(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode });
}

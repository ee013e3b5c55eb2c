import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { setPriority } from "node:os";
import { z } from "zod";
import { converse } from "./http-load.ts";

/**
 * Misbehaves as its first message says, and reports when it has begun. It answers the second message with the number of
 * answers by status, and of connections that the server closed. It runs in a process and a session of its own, at the
 * lowest priority, because a real client does not run on the server's machine.
 */

const LOWEST_PRIORITY = 19;

const planSchema = z.object({
  port: z.number(),
  from: z.string(),
  connections: z.number(),
  /** Repeats a request on each connection, or only begins to send it and holds the connection. */
  mode: z.enum(["repeat", "hold"]),
  base64: z.string(),
});

/** What a misbehaving client does. */
export type MisbehaviorPlan = z.infer<typeof planSchema>;

const counts: Record<string, number> = {};

function count(what: string): void {
  if (Object.keys(counts).length === 0) {
    process.send?.("begun");
  }
  counts[what] = (counts[what] ?? 0) + 1;
}

function yieldProcessor(): void {
  setPriority(LOWEST_PRIORITY);
  try {
    // A kernel that groups threads by session compares priorities only within one session.
    writeFileSync("/proc/self/autogroup", String(LOWEST_PRIORITY));
  } catch {
    // This system has no such groups.
  }
}

async function repeat(plan: MisbehaviorPlan): Promise<never> {
  const request = Buffer.from(plan.base64, "base64");
  for (;;) {
    await converse(plan, { next: () => request, note: (status) => count(String(status)) }).catch(
      () => count("closed"),
    );
  }
}

function hold(plan: MisbehaviorPlan): void {
  const socket = connect({ port: plan.port, host: "127.0.0.1", localAddress: plan.from });
  socket.on("connect", () => {
    count("opened");
    socket.write(Buffer.from(plan.base64, "base64"));
  });
  socket.on("error", () => undefined);
  socket.on("close", () => {
    count("closed");
    hold(plan);
  });
  socket.resume();
}

yieldProcessor();
process.once("disconnect", () => process.exit());
process.once("message", (message) => {
  const plan = planSchema.parse(message);
  process.once("message", () => process.send?.(counts));
  for (let index = 0; index < plan.connections; index += 1) {
    if (plan.mode === "repeat") {
      void repeat(plan);
    } else {
      hold(plan);
    }
  }
});

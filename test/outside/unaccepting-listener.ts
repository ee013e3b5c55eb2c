import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";

/** Listens, and never accepts. */
const BACKLOG = 1;
const PROGRAM = `
  require("node:net").createServer().listen({ host: process.argv[1], port: Number(process.argv[2]), backlog: ${BACKLOG} }, () => {
    process.stdout.write("ready", () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
  });`;

/** A place where connections neither succeed nor fail, like a host behind a firewall that drops packets. */
export async function startUnacceptingListener(
  host: string,
  port: number,
): Promise<{ stop(): void }> {
  const listener = spawn(process.execPath, ["-e", PROGRAM, host, String(port)]);
  await once(listener.stdout, "data");
  // The kernel lets one more than the backlog wait, and drops what comes after.
  const waiting = Array.from({ length: BACKLOG + 1 }, () => connect({ host, port }));
  await Promise.all(waiting.map((socket) => once(socket, "connect")));
  return {
    stop: () => {
      for (const socket of waiting) {
        socket.destroy();
      }
      listener.kill("SIGKILL");
    },
  };
}

import { setTimeout as sleep } from "node:timers/promises";
import type { Env } from "#lib/base/env.ts";
import { timeLimit } from "#db/time-limits.ts";

/** Traces that are exported. */
export interface RunningTraces {
  /** Exports what has ended, for at most two seconds: a collector that hangs must not keep the process. */
  stop(): Promise<void>;
}

/** Traces this process, if an OTLP endpoint is configured. Without one, not a package of OpenTelemetry is loaded. */
export async function startTraces(
  role: "server" | "worker",
  { traces, environment }: Env,
): Promise<RunningTraces | undefined> {
  if (!traces) {
    return undefined;
  }
  const { exportTraces } = await import("./open-telemetry.ts");
  const exported = exportTraces(traces, { role, environment });
  return {
    stop: async () => {
      await Promise.race([
        exported.stop(),
        sleep(timeLimit("tracesStop"), undefined, { ref: false }),
      ]);
    },
  };
}

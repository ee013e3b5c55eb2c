import { spawnSync } from "node:child_process";
import path from "node:path";
import { describe, expect, test, vi } from "vitest";
import { log } from "#lib/base/log.ts";
import { withTimeLimits } from "#db/time-limits.ts";
import { collector, credit, named, newCustomer, stopTraces, trace } from "./traces-rig.ts";

describe("the collector", () => {
  test("gets the headers and attributes that the environment names, at the usual path", async () => {
    const customer = await newCustomer();
    await trace({
      OTEL_EXPORTER_OTLP_HEADERS: "x-team=payments",
      OTEL_SERVICE_NAME: "cards",
      OTEL_RESOURCE_ATTRIBUTES: "service.namespace=bank",
    });
    await credit(customer);
    expect((await named("creditCard")).resource).toMatchObject({
      "service.name": "cards",
      "service.namespace": "bank",
      "deployment.environment.name": "sandbox",
    });
    expect(collector.paths).toContain("/v1/traces");
    expect(collector.headers[0]).toMatchObject({
      "x-team": "payments",
      "content-type": "application/x-protobuf",
    });
  });

  test("may have an address for traces alone", async () => {
    const customer = await newCustomer();
    await trace({
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1",
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/here`,
    });
    await credit(customer);
    await named("creditCard");
    expect(collector.paths).toContain("/here");
  });

  test("that hangs delays no answer, and the end of the process no longer than the limit", async () => {
    const customer = await newCustomer();
    collector.behave(() => undefined);
    await trace({ OTEL_BSP_SCHEDULE_DELAY: "1" });
    await credit(customer);
    await vi.waitUntil(() => collector.paths.length > 0, { timeout: 30_000 });
    expect((await credit(customer)).status).toBe(200);
    const started = performance.now();
    await withTimeLimits({ tracesStop: 200 }, stopTraces);
    // An export would give up after ten seconds.
    expect(performance.now() - started).toBeLessThan(8_000);
  });

  test("that fails changes no answer, and is reported once", async () => {
    const warned = vi.spyOn(log, "warn").mockImplementation(() => undefined);
    const customer = await newCustomer();
    collector.behave((response) => void response.writeHead(400).end());
    await trace({ OTEL_BSP_SCHEDULE_DELAY: "1" });
    for (let sent = 1; sent <= 3; sent += 1) {
      expect((await credit(customer)).status).toBe(200);
      await vi.waitUntil(() => collector.paths.length >= sent, { timeout: 30_000 });
    }
    await stopTraces();
    const reports = warned.mock.calls.filter(([, text]) => String(text).startsWith("Traces"));
    expect(reports).toHaveLength(1);
    warned.mockRestore();
  });

  test("that does not exist changes no answer", async () => {
    const customer = await newCustomer();
    await trace({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" });
    expect((await credit(customer)).status).toBe(200);
    // It would be tried again and again for as long as the end may take.
    await withTimeLimits({ tracesStop: 200 }, stopTraces);
  });
});

describe("without configuration", () => {
  /** Imports a server, starts its traces once per set of variables, and prints which packages were loaded by then. */
  const PROBE = `
import { registerHooks } from "node:module";
let loaded = 0;
registerHooks({
  resolve: (name, context, next) => {
    const found = next(name, context);
    // Other packages use the interface, which does nothing by itself.
    loaded += /@opentelemetry.(?!api)/u.test(found.url) ? 1 : 0;
    return found;
  },
});
await import("./bin/server.ts");
const { startTraces } = await import("./bin/traces/traces.ts");
const { readEnv } = await import("#lib/base/env.ts");
const seen = [];
for (const variables of JSON.parse(process.argv[1])) {
  const traces = await startTraces("server", readEnv(variables));
  seen.push({ isLoaded: loaded > 0, isOn: traces !== undefined });
}
console.log(JSON.stringify(seen));
process.exit();`;

  test("not a package of OpenTelemetry is loaded; with an endpoint, they are", () => {
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" };
    const asked = [
      {},
      { OTEL_SERVICE_NAME: "floatdeck", OTEL_TRACES_SAMPLER: "always_on" },
      { ...endpoint, OTEL_SDK_DISABLED: "true" },
      { ...endpoint, OTEL_TRACES_EXPORTER: "none" },
      endpoint,
    ];
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ["--input-type=module", "--eval", PROBE, JSON.stringify(asked)],
      { cwd: path.join(import.meta.dirname, "../.."), encoding: "utf8" },
    );
    expect(stderr).toBe("");
    const off = { isLoaded: false, isOn: false };
    expect(JSON.parse(stdout)).toEqual([off, off, off, off, { isLoaded: true, isOn: true }]);
  });
});

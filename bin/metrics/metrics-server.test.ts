import { afterAll, beforeAll, expect, test } from "vitest";
import { serveMetrics } from "./metrics-server.ts";

const scrape = () => Promise.resolve({ contentType: "text/plain", text: "" });
let served: Awaited<ReturnType<typeof serveMetrics>>;

beforeAll(async () => {
  served = await serveMetrics({ port: 0, host: "127.0.0.1" }, scrape);
});

afterAll(() => served.stop());

test("the port of the metrics serves nothing else", async () => {
  const at = `http://127.0.0.1:${served.port}`;
  expect((await fetch(`${at}/api/cards`)).status).toBe(404);
  expect((await fetch(`${at}/metrics`, { method: "POST" })).status).toBe(405);
});

test("a port that is taken is reported with the variable to correct", async () => {
  const { port } = served;
  const serving = serveMetrics({ port, host: "127.0.0.1" }, scrape);
  await expect(serving).rejects.toThrow(
    `Metrics cannot be served on 127.0.0.1:${port} (EADDRINUSE); correct METRICS_PORT or METRICS_HOST.`,
  );
});

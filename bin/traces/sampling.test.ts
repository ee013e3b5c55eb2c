import { ROOT_CONTEXT } from "@opentelemetry/api";
import { SamplingDecision, TraceIdRatioBasedSampler } from "@opentelemetry/sdk-trace";
import { describe, expect, test } from "vitest";
import { holdAccount } from "#test/database/commit-queues.ts";
import {
  collector,
  credit,
  deliver,
  named,
  newCustomer,
  PARENT,
  receiver,
  stopTraces,
  trace,
  TRACE,
  TRACEPARENT,
  untilWaiting,
} from "./traces-rig.ts";

/** None or all of them are sampled at a ratio of 0.5 in 1 of 500,000 runs. */
const CREDITS = 20;

describe("the caller's traceparent", () => {
  test.each([
    ["has too few digits", `00-${TRACE.slice(1)}-${PARENT}-01`],
    ["has a trace of zeros", `00-${"0".repeat(32)}-${PARENT}-01`],
    ["has a parent of zeros", `00-${TRACE}-${"0".repeat(16)}-01`],
    ["is in upper case", TRACEPARENT.toUpperCase()],
    ["has version ff", `ff${TRACEPARENT.slice(2)}`],
    ["has more than version 00 allows", `${TRACEPARENT}-more`],
    ["is no traceparent", "'; drop table cards; --"],
  ])("that %s is ignored", async (_, traceparent) => {
    const customer = await newCustomer();
    await trace();
    expect((await credit(customer, { traceparent })).status).toBe(200);
    const request = await named("creditCard");
    expect(request.traceId).not.toBe(TRACE);
    expect(request.parentId).toBe("");
  });

  test("of a later version is honored, as far as it is known", async () => {
    const customer = await newCustomer();
    await trace();
    await credit(customer, { traceparent: `01${TRACEPARENT.slice(2)}-more` });
    expect(await named("creditCard")).toMatchObject({ traceId: TRACE, parentId: PARENT });
  });

  test("that says it is not sampled is not traced, unless the sampler does not ask", async () => {
    const customer = await newCustomer();
    const unsampled = { traceparent: `00-${TRACE}-${PARENT}-00` };
    await trace();
    await credit(customer, unsampled);
    await stopTraces();
    expect(collector.spans).toEqual([]);
    await trace({ OTEL_TRACES_SAMPLER: "always_on" });
    await credit(customer, unsampled);
    expect(await named("creditCard")).toMatchObject({ traceId: TRACE, parentId: PARENT });
  });
});

describe("sampling", () => {
  test.each([
    { OTEL_TRACES_SAMPLER: "always_off" },
    { OTEL_TRACES_SAMPLER: "parentbased_always_off" },
    { OTEL_TRACES_SAMPLER: "parentbased_traceidratio", OTEL_TRACES_SAMPLER_ARG: "0" },
    { OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "0" },
  ])("%o exports nothing, and sends receivers nothing", async (variables) => {
    const customer = await newCustomer();
    await trace(variables);
    await credit(customer);
    await deliver(customer);
    await stopTraces();
    expect(collector.spans).toEqual([]);
    expect(receiver.received.filter(({ headers }) => "traceparent" in headers)).toEqual([]);
  });

  test.each([
    { OTEL_TRACES_SAMPLER: "always_on" },
    { OTEL_TRACES_SAMPLER: "parentbased_traceidratio", OTEL_TRACES_SAMPLER_ARG: "1" },
    { OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "1" },
  ])("%o exports each request", async (variables) => {
    const customer = await newCustomer();
    await trace(variables);
    await Promise.all([credit(customer), credit(customer), credit(customer)]);
    await expect(collector.waitFor("creditCard", 3)).resolves.toHaveLength(3);
  });

  test("exports half of the traces at a ratio of 0.5, each of them whole, and no other service decides otherwise", async () => {
    const customer = await newCustomer();
    await trace({ OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "0.5" });
    await Promise.all(Array.from({ length: CREDITS }, () => credit(customer)));
    await deliver(customer);
    await stopTraces();
    const exported = collector.spans.filter(({ kind }) => kind === "server");
    const traceIds = exported.map(({ traceId }) => traceId);
    expect(new Set(traceIds).size).toBe(exported.length);
    expect(exported.length).toBeGreaterThan(0);
    expect(exported.length).toBeLessThan(CREDITS);
    const notified = receiver.received.flatMap(({ headers }) => headers["traceparent"] ?? []);
    expect(new Set(notified.map((traceparent) => traceparent.split("-")[1]))).toEqual(
      new Set(traceIds),
    );
    const other = new TraceIdRatioBasedSampler(0.5);
    for (const traceId of traceIds) {
      const { decision } = other.shouldSample(ROOT_CONTEXT, traceId);
      expect(decision).toBe(SamplingDecision.RECORD_AND_SAMPLED);
    }
  });

  test("a commit of requests of which one is sampled has that one's links alone", async () => {
    const customer = await newCustomer();
    await trace({ OTEL_TRACES_SAMPLER: "parentbased_always_off" });
    const release = await holdAccount(customer.card.id);
    const others = [credit(customer), credit(customer)];
    await untilWaiting(1);
    const sampled = credit(customer, { traceparent: TRACEPARENT });
    await untilWaiting(2);
    release();
    await Promise.all([sampled, ...others]);
    const request = await named("creditCard");
    expect(await named("commit")).toMatchObject({
      links: [request.id],
      attributes: { "floatdeck.batch_requests": 2 },
    });
    await stopTraces();
    expect(collector.spans.filter(({ kind }) => kind === "server")).toHaveLength(1);
    expect(new Set(collector.spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE]));
  });
});

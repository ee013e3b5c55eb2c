import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags } from "@opentelemetry/api";
import type {
  Context,
  Span as OpenSpan,
  SpanContext,
  Tracer as OpenTracer,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
  serviceNameEnvDetector,
} from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  RandomIdGenerator,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Sampler } from "@opentelemetry/sdk-trace";
import { reported } from "./reported-exporter.ts";
import { toStatementSpans } from "./statement-spans.ts";
import type { TraceSettings } from "#lib/base/trace-settings.ts";
import { setTracer } from "#lib/base/tracing.ts";
import type { Span, SpanStart, Tracer } from "#lib/base/tracing.ts";
import { watchStatements } from "#db/statements.ts";

/** Traces this process with OpenTelemetry's SDK. Nothing is registered globally, so that no package traces by itself. */
export function exportTraces(
  { sampler, ratio, batch }: TraceSettings,
  named: { role: string; environment: string },
): { stop(): Promise<void> } {
  const asked = toSampler(sampler, ratio);
  const ids = new DrawnIds();
  const provider = new TracerProvider({
    sampler: asked,
    idGenerator: ids,
    resource: toResource(named),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: reported(new OTLPTraceExporter()),
        scheduledDelayMillis: batch.delayMs,
        maxQueueSize: batch.queueMax,
        maxExportBatchSize: batch.exportMax,
      }),
    ],
  });
  setTracer(toTracer(provider.getTracer("floatdeck"), asked, ids));
  watchStatements(toStatementSpans());
  return {
    stop: async () => {
      setTracer(undefined);
      watchStatements(undefined);
      // A failure has been reported by the exporter.
      await provider.shutdown().catch(() => undefined);
    },
  };
}

function toSampler(name: TraceSettings["sampler"], ratio: number): Sampler {
  const own = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  };
  return {
    ...own,
    parentbased_always_on: () => parentBased(own.always_on()),
    parentbased_always_off: () => parentBased(own.always_off()),
    parentbased_traceidratio: () => parentBased(own.traceidratio()),
  }[name]();
}

function parentBased(root: Sampler): Sampler {
  return new ParentBasedSampler({ root });
}

/** The environment's own attributes take precedence over ours. */
function toResource({ role, environment }: { role: string; environment: string }) {
  return defaultResource()
    .merge(
      resourceFromAttributes({
        "service.name": "floatdeck",
        "deployment.environment.name": environment,
        "floatdeck.process": role,
      }),
    )
    .merge(
      detectResources({
        detectors: [
          serviceInstanceIdDetector,
          resourceAttributesEnvDetector,
          serviceNameEnvDetector,
        ],
      }),
    );
}

const KINDS = {
  server: SpanKind.SERVER,
  internal: SpanKind.INTERNAL,
  client: SpanKind.CLIENT,
} as const;

/** Draws the id of a trace before the SDK asks for it. */
class DrawnIds extends RandomIdGenerator {
  #drawn = "";

  draw(): string {
    this.#drawn = super.generateTraceId();
    return this.#drawn;
  }

  override generateTraceId(): string {
    return this.#drawn;
  }
}

/**
 * Asks the sampler before the SDK starts a span. The SDK asks it only after most of its work, which is the larger part of
 * what traces cost where few requests are sampled. Its own question gets the same answer: the trace has the same id.
 */
function toTracer(tracer: OpenTracer, sampler: Sampler, ids: DrawnIds): Tracer {
  return ({ name, kind: side, parent, attributes }: SpanStart) => {
    const kind = KINDS[side];
    const context = toContext(parent, side);
    const traceId = trace.getSpanContext(context)?.traceId ?? ids.draw();
    const { decision } = sampler.shouldSample(context, traceId, name, kind, {}, []);
    return decision === SamplingDecision.NOT_RECORD
      ? null
      : toSpan(tracer.startSpan(name, { kind, attributes }, context));
  };
}

function toSpan(span: OpenSpan): Span {
  return {
    traceparent: toTraceparent(span.spanContext()),
    link: (traceparent) => {
      span.addLink({ context: toSpanContext(traceparent) });
    },
    end: (attributes, failure) => {
      span.setAttributes(attributes);
      if (failure !== null) {
        span.setAttribute("error.type", failure);
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    },
  };
}

function toContext(parent: string | null, kind: SpanStart["kind"]): Context {
  return parent === null
    ? ROOT_CONTEXT
    : trace.setSpanContext(ROOT_CONTEXT, { ...toSpanContext(parent), isRemote: kind === "server" });
}

/** Parses a valid `traceparent` of version 00. */
function toSpanContext(traceparent: string): SpanContext {
  const [, traceId = "", spanId = "", flags = ""] = traceparent.split("-");
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED };
}

function toTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
}

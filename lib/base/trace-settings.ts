import { z } from "zod";

/** The variables of OpenTelemetry that this server reads; the exporter reads the rest of `OTEL_EXPORTER_OTLP_*` itself. */

const SAMPLERS = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

/** How requests are traced, and where the traces go. */
export interface TraceSettings {
  sampler: (typeof SAMPLERS)[number];
  /** The share of traces that `traceidratio` samples, 0 to 1. */
  ratio: number;
  batch: { delayMs: number; queueMax: number; exportMax: number };
}

const AN_ENDPOINT = "must be an http(s) URL, for example http://localhost:4318";
const endpointSchema = z.url({ protocol: /^https?$/u, error: AN_ENDPOINT }).optional();
const PROTOCOL = "http/protobuf";
const protocolSchema = z.literal(PROTOCOL, `must be "${PROTOCOL}"`).optional();
const A_RATIO = "must be a number, 0 to 1";
const A_COUNT = "must be a whole number, 1 or more";
const countSchema = z.coerce.number(A_COUNT).int(A_COUNT).min(1, A_COUNT);

/** Members of the schema of the environment. */
export const TRACE_VARIABLES = {
  OTEL_SDK_DISABLED: z.string().optional(),
  OTEL_TRACES_EXPORTER: z.enum(["otlp", "none"], 'must be "otlp" or "none"').default("otlp"),
  OTEL_EXPORTER_OTLP_ENDPOINT: endpointSchema,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpointSchema,
  OTEL_EXPORTER_OTLP_PROTOCOL: protocolSchema,
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocolSchema,
  OTEL_TRACES_SAMPLER: z
    .enum(SAMPLERS, `must be one of ${SAMPLERS.join(", ")}`)
    .default("parentbased_always_on"),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number(A_RATIO).min(0, A_RATIO).max(1, A_RATIO).default(1),
  OTEL_BSP_SCHEDULE_DELAY: countSchema.default(5_000),
  OTEL_BSP_MAX_QUEUE_SIZE: countSchema.default(2_048),
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: countSchema.default(512),
};

type TraceVariables = z.output<z.ZodObject<typeof TRACE_VARIABLES>>;

/** How to trace; undefined unless an endpoint is set and nothing switches traces off. */
export function toTraceSettings(values: TraceVariables): TraceSettings | undefined {
  const endpoint = values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? values.OTEL_EXPORTER_OTLP_ENDPOINT;
  const isOff =
    values.OTEL_SDK_DISABLED?.toLowerCase() === "true" || values.OTEL_TRACES_EXPORTER === "none";
  if (isOff || endpoint === undefined) {
    return undefined;
  }
  return {
    sampler: values.OTEL_TRACES_SAMPLER,
    ratio: values.OTEL_TRACES_SAMPLER_ARG,
    batch: {
      delayMs: values.OTEL_BSP_SCHEDULE_DELAY,
      queueMax: values.OTEL_BSP_MAX_QUEUE_SIZE,
      exportMax: values.OTEL_BSP_MAX_EXPORT_BATCH_SIZE,
    },
  };
}

import type { SpanExporter } from "@opentelemetry/sdk-trace";
import { log } from "#lib/base/log.ts";

/** The same exporter. Its failures are logged once, until it succeeds again. */
export function reported(exporter: SpanExporter): SpanExporter {
  let isFailing = false;
  const note = (error: Error | undefined) => {
    if (error && !isFailing) {
      log.warn({ err: error }, "Traces could not be exported. Further failures are not logged.");
    } else if (!error && isFailing) {
      log.info("Traces are exported again.");
    }
    isFailing = error !== undefined;
  };
  return {
    export: (spans, onResult) =>
      exporter.export(spans, (result) => {
        note(result.error);
        onResult(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}

import { createServer } from "node:http";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { vi } from "vitest";
import { bytesIn, numberIn, readMessage } from "./protobuf.ts";
import type { Fields } from "./protobuf.ts";

/** A span as it arrived. Ids in hexadecimal; `parentId` is empty for the first of a trace. */
export interface CollectedSpan {
  traceId: string;
  id: string;
  parentId: string;
  name: string;
  kind: "internal" | "server" | "client" | "other";
  attributes: Readonly<Record<string, string | number>>;
  /** Of the process. */
  resource: Readonly<Record<string, string | number>>;
  /** The ids of the spans that it links to. */
  links: readonly string[];
  isError: boolean;
  durationMs: number;
}

/** A collector of traces, to which processes export by OTLP over HTTP. */
export interface Collector {
  url: string;
  spans: CollectedSpan[];
  /** Everything that arrived, as text, to search. */
  text(): string;
  headers: IncomingHttpHeaders[];
  paths: string[];
  /** How it answers from now on. */
  behave(behavior: (response: ServerResponse) => void): void;
  /** Resolves with the spans of a name once there are so many. */
  waitFor(name: string, count?: number): Promise<CollectedSpan[]>;
  stop(): Promise<void>;
}

function accept(response: ServerResponse): void {
  response.writeHead(200, { "Content-Type": "application/x-protobuf" }).end();
}

export async function startCollector(): Promise<Collector> {
  let behave: (response: ServerResponse) => void = accept;
  const received: Buffer[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.once("end", () => {
      const body = Buffer.concat(chunks);
      received.push(body);
      collector.headers.push(request.headers);
      collector.paths.push(request.url ?? "");
      collector.spans.push(...toSpans(body));
      behave(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = address && typeof address === "object" ? address.port : 0;
  const collector: Collector = {
    url: `http://127.0.0.1:${port}`,
    spans: [],
    headers: [],
    paths: [],
    text: () => received.map((body) => body.toString("latin1")).join("\n"),
    behave: (next) => {
      behave = next;
    },
    waitFor: async (name, count = 1) => {
      const named = () => collector.spans.filter((span) => span.name === name);
      await vi.waitUntil(() => named().length >= count, { timeout: 30_000 });
      return named();
    },
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
  return collector;
}

/** The numbers of the fields, from OTLP's `trace.proto`, `resource.proto`, and `common.proto`. */
function toSpans(request: Buffer): CollectedSpan[] {
  return bytesIn(readMessage(request), 1)
    .map(readMessage)
    .flatMap((resourceSpans) => {
      const [described] = bytesIn(resourceSpans, 1).map(readMessage);
      const resource = described ? toAttributes(described, 1) : {};
      return bytesIn(resourceSpans, 2)
        .flatMap((scopeSpans) => bytesIn(readMessage(scopeSpans), 2))
        .map((span) => toSpan(readMessage(span), resource));
    });
}

const KINDS = ["other", "internal", "server", "client"] as const;
const STATUS_ERROR = 2n;

function toSpan(fields: Fields, resource: CollectedSpan["resource"]): CollectedSpan {
  const hex = (number: number) => bytesIn(fields, number)[0]?.toString("hex") ?? "";
  const [status] = bytesIn(fields, 15).map(readMessage);
  return {
    traceId: hex(1),
    id: hex(2),
    parentId: hex(4),
    name: bytesIn(fields, 5)[0]?.toString() ?? "",
    kind: KINDS[Number(numberIn(fields, 6))] ?? "other",
    attributes: toAttributes(fields, 9),
    resource,
    links: bytesIn(fields, 13).map(
      (link) => bytesIn(readMessage(link), 2)[0]?.toString("hex") ?? "",
    ),
    isError: status !== undefined && numberIn(status, 3) === STATUS_ERROR,
    durationMs: Number(numberIn(fields, 8) - numberIn(fields, 7)) / 1e6,
  };
}

function toAttributes(fields: Fields, number: number): Record<string, string | number> {
  return Object.fromEntries(
    bytesIn(fields, number).map((pair) => {
      const [key] = bytesIn(readMessage(pair), 1);
      const [value = Buffer.alloc(0)] = bytesIn(readMessage(pair), 2);
      const any = readMessage(value);
      const [text] = bytesIn(any, 1);
      return [key?.toString() ?? "", text?.toString() ?? Number(numberIn(any, 3))];
    }),
  );
}

import type { IncomingMessage, ServerResponse } from "node:http";
import { clientPackage } from "#lib/api/client-package/package.ts";
import { env } from "#lib/base/env.ts";
import { DomainError } from "#lib/base/errors.ts";
import { toAnswerHeaders } from "./answer-headers.ts";
import { toEdgeProblem } from "./refuse.ts";

const ADDRESS_PATH = "/client";

/** Whether a path leads to the client library: the address of the current package, or a package. */
export function isClientPath(path: string): boolean {
  return path === ADDRESS_PATH || /^\/client-[^/]*\.tgz$/u.test(path);
}

/**
 * Answers with the client library of this server. A package's name contains a hash of its bytes, so a client may cache
 * it forever. Any other package's name is unknown here.
 */
export async function answerClientPackage(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  try {
    requireRead(request, response);
    const current = await clientPackage();
    const url = `${env().publicUrl}${current.path}`;
    if (path === ADDRESS_PATH) {
      write(response, `${url}\n`, {
        "content-type": "text/plain; charset=utf-8",
        "cache-control": "no-store",
      });
    } else if (path === current.path) {
      write(response, current.bytes, {
        "content-type": "application/gzip",
        "cache-control": "public, max-age=31536000, immutable",
      });
    } else {
      throw new DomainError("path_unknown", `This server's client library is at ${url}.`);
    }
  } catch (error) {
    const { status, headers, body } = toEdgeProblem(error, path);
    response.writeHead(status, headers).end(body);
  }
}

/** @throws DomainError `method_not_allowed`. */
function requireRead({ method }: IncomingMessage, response: ServerResponse): void {
  if (method !== "GET" && method !== "HEAD") {
    response.setHeader("Allow", "GET, HEAD");
    throw new DomainError("method_not_allowed", "This path supports GET, HEAD.");
  }
}

function write(
  response: ServerResponse,
  body: string | Buffer,
  headers: Record<string, string>,
): void {
  response.writeHead(200, {
    ...toAnswerHeaders(),
    ...headers,
    "content-length": Buffer.byteLength(body),
  });
  response.end(body);
}

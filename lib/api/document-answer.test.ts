import { expect, test } from "vitest";
import { gunzipSync } from "node:zlib";
import { createFetchApi } from "#test/scene/api-client.ts";

const LINE = "http://127.0.0.1:3000/api/openapi.json";

async function read(headers: Record<string, string> = {}) {
  const api = createFetchApi();
  const response = await api(new Request(LINE, { headers }));
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
}

test("the document may be kept for a minute, and then costs an answer without a body", async () => {
  const first = await read();
  expect(first.status).toBe(200);
  expect(first.headers.get("cache-control")).toBe("public, max-age=60");
  expect(first.headers.get("vary")).toBe("Accept-Encoding");
  const tag = first.headers.get("etag") ?? "";
  const again = await read({ "If-None-Match": tag });
  expect(again.status).toBe(304);
  expect(again.bytes).toHaveLength(0);
  expect(again.headers.get("etag")).toBe(tag);
  expect(again.headers.get("cache-control")).toBe("public, max-age=60");
  expect((await read({ "If-None-Match": '"other"' })).status).toBe(200);
});

test("a client that accepts gzip gets the same document compressed, under a tag of its own", async () => {
  const plain = await read();
  const packed = await read({ "Accept-Encoding": "br, gzip" });
  expect(packed.headers.get("content-encoding")).toBe("gzip");
  expect(packed.headers.get("content-length")).toBe(String(packed.bytes.length));
  expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 8);
  expect(gunzipSync(packed.bytes)).toEqual(plain.bytes);
  const tag = packed.headers.get("etag") ?? "";
  expect(tag).not.toBe(plain.headers.get("etag"));
  const again = await read({ "Accept-Encoding": "gzip", "If-None-Match": tag });
  expect([again.status, again.bytes.length]).toEqual([304, 0]);
  expect(again.headers.has("content-encoding")).toBe(false);
});

test.each(["gzip;q=0", "br", "identity", "gzip; q=0.000", "xgzip"])(
  "Accept-Encoding: %s is answered as it is",
  async (encoding) => {
    const { headers, bytes } = await read({ "Accept-Encoding": encoding });
    expect(headers.has("content-encoding")).toBe(false);
    expect(JSON.parse(bytes.toString())).toMatchObject({ openapi: "3.1.0" });
  },
);

import { createServer } from "node:http";
import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { closePort } from "./close-port.ts";

test("whoever has connected before the port closes is answered", async () => {
  const server = createServer((_request, response) => response.end("answered"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address() as AddressInfo;
  const answers = Array.from({ length: 50 }, () => {
    const socket = connect(address.port, "127.0.0.1");
    socket.write("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    return text(socket).catch((error: unknown) => String(error));
  });
  // The system connects them now, and this turn of the event loop, in which nobody accepts them, goes on.
  await new Promise<void>((resolve) => process.nextTick(resolve));
  const closed = await closePort(server);
  expect((await Promise.all(answers)).filter((each) => !each.endsWith("answered"))).toEqual([]);
  await closed.all;
  expect(server.listening).toBe(false);
});

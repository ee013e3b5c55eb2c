import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { closePort } from "./close-port.ts";

const CLIENTS = 50;

/** Connects in a thread of its own once the gate opens, counts whom the system has connected, and says what each was answered. */
const CONNECT = `
  const { connect } = require("node:net");
  const { text } = require("node:stream/consumers");
  const { parentPort, workerData: { port, gate, connected } } = require("node:worker_threads");
  Atomics.wait(gate, 0, 0);
  const answers = Array.from({ length: ${CLIENTS} }, () => {
    const socket = connect(port, "127.0.0.1", () => {
      Atomics.add(connected, 0, 1);
      Atomics.notify(connected, 0);
    });
    socket.write("GET / HTTP/1.1\\r\\nHost: a\\r\\nConnection: close\\r\\n\\r\\n");
    return text(socket).catch(String);
  });
  Promise.all(answers).then((all) => parentPort.postMessage(all));
`;

/** A server, and clients that `connectAll` connects while this thread does nothing else: nobody accepts them meanwhile. */
async function startWithClients() {
  const server = createServer((_request, response) => response.end("answered"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const gate = new Int32Array(new SharedArrayBuffer(4));
  const connected = new Int32Array(new SharedArrayBuffer(4));
  const clients = new Worker(CONNECT, { eval: true, workerData: { port, gate, connected } });
  const answered = once(clients, "message");
  await once(clients, "online");
  const connectAll = () => {
    Atomics.store(gate, 0, 1);
    Atomics.notify(gate, 0);
    for (let count = 0; count < CLIENTS; count = Atomics.load(connected, 0)) {
      Atomics.wait(connected, 0, count, 10_000);
    }
  };
  return { server, connectAll, answered };
}

test.each([
  { when: "before the port closes", meet: (connectAll: () => void) => connectAll() },
  {
    when: "while the server answers others and looks for nobody",
    meet: (connectAll: () => void) => setImmediate(() => setImmediate(connectAll)),
  },
])("whoever connects $when is answered", async ({ meet }) => {
  const { server, connectAll, answered } = await startWithClients();
  meet(connectAll);
  const closed = await closePort(server);
  const [answers]: string[][] = await answered;
  expect(answers?.filter((each) => !each.endsWith("answered"))).toEqual([]);
  expect(answers).toHaveLength(CLIENTS);
  await closed.all;
  expect(server.listening).toBe(false);
});

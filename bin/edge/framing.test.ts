import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { RawConnection, toAnswer } from "#test/outside/raw-http.ts";
import { EdgeRig } from "./edge-rig.ts";

/** A request that must stay what it is sent as: the body of another. */
const HIDDEN = "GET /hidden HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 10.0.0.1\r\n\r\n";
const LENGTH = `Content-Length: ${HIDDEN.length}`;
const CHUNKED = "Transfer-Encoding: chunked";
const CHUNKS = `${HIDDEN.length.toString(16)}\r\n${HIDDEN}\r\n0\r\n\r\n`;

const METHODS = ["GET", "HEAD", "DELETE", "OPTIONS", "POST", "PUT", "PATCH"];
const VERSIONS = ["1.0", "1.1"];

interface Framing {
  headers: string[];
  sent: string;
  /** What the pages receive as the body; undefined where the framing is refused. */
  body: string | undefined;
}

const FRAMINGS: Record<string, Framing> = {
  "no body": { headers: [], sent: "", body: "" },
  "an empty body": { headers: ["Content-Length: 0"], sent: "", body: "" },
  "a length": { headers: [LENGTH], sent: HIDDEN, body: HIDDEN },
  chunks: { headers: [CHUNKED], sent: CHUNKS, body: HIDDEN },
  "a length and chunks": { headers: [LENGTH, CHUNKED], sent: CHUNKS, body: undefined },
  "chunks and a length": { headers: [CHUNKED, LENGTH], sent: CHUNKS, body: undefined },
  "two lengths": { headers: [LENGTH, LENGTH], sent: HIDDEN, body: undefined },
  "two different lengths": {
    headers: [LENGTH, "Content-Length: 0"],
    sent: HIDDEN,
    body: undefined,
  },
  "chunks that end early": {
    headers: ["Transfer-Encoding: chunked, identity"],
    sent: CHUNKS,
    body: undefined,
  },
};

/** What `Connection` names, and whether it may. */
const NAMED: [string, boolean][] = [
  ["", true],
  ["keep-alive", true],
  ["TE, Trailer", true],
  ["Upgrade, HTTP2-Settings", true],
  ["proxy-connection,,", true],
  ["content-length", false],
  ["Keep-Alive, Content-Length", false],
  ["transfer-encoding", false],
  ["host", false],
  ["x-forwarded-for", false],
  ["cookie", false],
  ["authorization", false],
  ["content-security-policy", false],
  ["close;x", false],
];

let rig: EdgeRig;
/** The requests that the pages received: method, target, and body. */
let received: string[] = [];

beforeAll(async () => {
  rig = await EdgeRig.start();
});

afterEach(() => {
  rig.reset();
  received = [];
});

afterAll(() => rig.stop());

function answerWithTarget(): void {
  rig.answerPage = (request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString("latin1")));
    request.on("end", () => {
      received.push(`${request.method} ${request.url} ${body}`);
      response.end(`page ${request.url}`);
    });
  };
}

/** A page answered at once, before its request has been read. */
function answerAtOnce(): void {
  rig.answerPage = (request, response) => {
    received.push(`${request.method} ${request.url} `);
    response.end(`page ${request.url}`);
  };
}

/** Sends one request over a connection that may stay open. @returns the status of the answer. */
async function ask(request: string): Promise<number> {
  const connection = await RawConnection.open(rig.port);
  connection.send(request);
  const { status } = toAnswer(await connection.until("\r\n\r\n"));
  connection.socket.destroy();
  return status;
}

/** Asks for a page after each case: a body read as a request would take its connection, or its answer. */
async function askForPage(): Promise<void> {
  const answer = await rig.ask("GET /after");
  expect(answer.body).toContain("page /after");
}

describe.each(METHODS)("%s", (method) => {
  test.each(Object.entries(FRAMINGS))(
    "with %s is one request of the pages, or none where it is refused",
    async (_name, framing) => {
      answerWithTarget();
      for (const version of VERSIONS) {
        for (const [named, isAllowed] of NAMED) {
          received = [];
          const head = [
            "Host: localhost",
            `Connection: ${named}`,
            "Cookie: a=1",
            ...framing.headers,
          ];
          const status = await ask(
            `${method} /page HTTP/${version}\r\n${head.join("\r\n")}\r\n\r\n${framing.sent}`,
          );
          await askForPage();
          const isForwarded = isAllowed && framing.body !== undefined;
          const outcome = isForwarded ? [200, `${method} /page ${framing.body}`] : [400];
          expect({ version, named, outcome: [status, ...received] }).toEqual({
            version,
            named,
            outcome: [...outcome, "GET /after "],
          });
        }
      }
    },
  );

  test("with a body that the pages do not read leaves none of it to the next request", async () => {
    answerAtOnce();
    for (const [header, sent] of [
      [LENGTH, HIDDEN],
      [CHUNKED, CHUNKS],
    ] as const) {
      received = [];
      await rig.ask(`${method} /page`, [header], sent);
      await askForPage();
      await askForPage();
      expect(received).toEqual([`${method} /page `, "GET /after ", "GET /after "]);
    }
  });

  test("with 100-continue sends its body once", async () => {
    answerWithTarget();
    const connection = await RawConnection.open(rig.port);
    connection.send(
      `${method} /page HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nExpect: 100-continue\r\n${LENGTH}\r\n\r\n`,
    );
    await connection.until("HTTP/1.1 100 Continue\r\n\r\n");
    connection.send(HIDDEN);
    expect(await connection.untilClosed()).toContain("HTTP/1.1 200");
    await askForPage();
    expect(received).toEqual([`${method} /page ${HIDDEN}`, "GET /after "]);
  });

  test("followed by another request on its connection is one of two", async () => {
    answerWithTarget();
    const connection = await RawConnection.open(rig.port);
    connection.send(
      `${method} /first HTTP/1.1\r\nHost: localhost\r\n${LENGTH}\r\n\r\n${HIDDEN}` +
        `${method} /second HTTP/1.1\r\nHost: localhost\r\n${CHUNKED}\r\n\r\n${CHUNKS}` +
        "GET /third HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    );
    await connection.untilClosed();
    expect(received.toSorted()).toEqual(
      [`${method} /first ${HIDDEN}`, `${method} /second ${HIDDEN}`, "GET /third "].toSorted(),
    );
  });
});

test.each(NAMED.filter(([, isAllowed]) => !isAllowed))(
  "the API refuses a Connection that names %s",
  async (named) => {
    const answer = await rig.ask("GET /api/health/live", [`Connection: ${named}`]);
    expect(answer.status).toBe(400);
    expect(answer.body).toContain("Connection");
  },
);

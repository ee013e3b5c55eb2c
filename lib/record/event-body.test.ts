import { expect, test } from "vitest";
import { toEventBody } from "./event-body.ts";

test("a body is the same bytes as when all of it was stored", () => {
  expect(
    toEventBody({
      id: "01a20000-0000-7000-8000-000000000001",
      event: "card.credited",
      apiVersion: "0.5.0",
      environment: "sandbox",
      createdAt: new Date("2026-11-26T01:02:03.004Z"),
      integratorId: "01a20000-0000-7000-8000-000000000002",
      subjectType: "card",
      subjectId: "01a20000-0000-7000-8000-000000000003",
      sequence: 7,
      personal: null,
      content: JSON.stringify({
        request_id: "01a20000-0000-7000-8000-000000000004",
        actor: { type: "api_key", id: "01a20000-0000-7000-8000-000000000005", name: 'A "key", é' },
        data: { card_id: "01a20000-0000-7000-8000-000000000003", amount: 9_007_199_254_740_991 },
        previous: null,
      }),
    }),
  ).toBe(
    '{"id":"01a20000-0000-7000-8000-000000000001","event":"card.credited","api_version":"0.5.0",' +
      '"environment":"sandbox","created_at":"2026-11-26T01:02:03.004Z",' +
      '"integrator_id":"01a20000-0000-7000-8000-000000000002",' +
      '"subject":{"type":"card","id":"01a20000-0000-7000-8000-000000000003"},"sequence":7,' +
      '"request_id":"01a20000-0000-7000-8000-000000000004",' +
      '"actor":{"type":"api_key","id":"01a20000-0000-7000-8000-000000000005","name":"A \\"key\\", é"},' +
      '"data":{"card_id":"01a20000-0000-7000-8000-000000000003","amount":9007199254740991},"previous":null,' +
      '"checksum":"8046B502D7078B9610DBD33BF716E1231003FF82033BA06BDD859633C588E409"}',
  );
});

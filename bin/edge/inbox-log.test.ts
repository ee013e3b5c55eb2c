import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { newToken } from "#lib/base/one-time-token.ts";

const ROOT = path.join(import.meta.dirname, "../..");

/** What a server logs of a notification that it could not take, with the path that it had. */
const PROGRAM = `
  import { logUnavailable } from "#lib/api/wire/log-unavailable.ts";
  const answer = { status: 503, code: "database_unavailable", detail: "Try again." };
  logUnavailable(answer, { requestId: "1", path: process.argv[1] }, new Error(process.argv[1]));`;

test("a warning about an inbox does not tell its token", async () => {
  const token = newToken();
  const args = ["--input-type=module-typescript", "--eval", PROGRAM, `/inbox/${token}`];
  const { stderr } = await promisify(execFile)(process.execPath, args, { cwd: ROOT });
  expect(stderr).toContain("/inbox/[redacted]");
  expect(stderr).not.toContain(token);
});

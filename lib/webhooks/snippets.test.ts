import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readBlocks } from "#test/scene/guide-blocks.ts";
import { newSigningSecret } from "#lib/webhooks/internal/signing-secret.ts";
import { toSignatureHeaders } from "#lib/webhooks/internal/signature.ts";

/** Runs the verification code of docs/webhooks.md as printed, in every language installed on this machine. */

const snippets = readBlocks("webhooks.md").filter(({ use }) => use === "verify");
const folder = mkdtempSync(path.join(tmpdir(), "floatdeck-snippets-"));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** How each language reads the input and prints the result of its `verify`. */
const LANGUAGES = [
  {
    name: "js",
    command: process.execPath,
    file: "verify.mjs",
    driver: `
import { readFileSync } from "node:fs";
const given = JSON.parse(readFileSync(0, "utf8"));
console.log(verify(given.secret, given.headers, given.body).event);`,
  },
  {
    name: "python",
    command: "python3",
    file: "verify.py",
    driver: `
import sys
given = json.load(sys.stdin)
print(verify(given["secret"], given["headers"], given["body"].encode())["event"])`,
  },
  {
    name: "php",
    command: "php",
    file: "verify.php",
    driver: `
$given = json_decode(file_get_contents("php://stdin"), true);
echo verify($given["secret"], $given["headers"], $given["body"])["event"], "\\n";`,
  },
  {
    name: "ruby",
    command: "ruby",
    file: "verify.rb",
    driver: `
given = JSON.parse(STDIN.read)
puts verify(given["secret"], given["headers"], given["body"])["event"]`,
  },
];

const present = LANGUAGES.filter(
  ({ command }) => spawnSync(command, ["--version"], { stdio: "ignore" }).status === 0,
);

const secret = newSigningSecret();
const previous = newSigningSecret();
const body = JSON.stringify({ event: "card.frozen", comment: "Café" });

function sign(at: Date, secrets: string[]): Record<string, string> {
  return toSignatureHeaders({ id: "01a1fd0f-6cef-7000-af0a-b8e42141223d", at, body, secrets });
}

test("each language shown is one that runs here where it is installed, JavaScript among them", () => {
  const shown = snippets.map(({ language }) => language);
  expect(shown.toSorted()).toEqual(LANGUAGES.map(({ name }) => name).toSorted());
  expect(present.map(({ name }) => name)).toContain("js");
});

describe.each(present)("$name", ({ name, command, file, driver }) => {
  const snippet = snippets.find(({ language }) => language === name)?.text;
  const script = path.join(folder, file);
  writeFileSync(script, `${snippet}\n${driver}\n`);
  const run = (input: { secret?: string; headers?: Record<string, string>; body?: string }) =>
    spawnSync(command, [script], {
      input: JSON.stringify({ secret, headers: sign(new Date(), [secret]), body, ...input }),
      encoding: "utf8",
    });

  test("accepts a signed body, even with another secret's signature alongside", () => {
    for (const secrets of [[secret], [secret, previous], [previous, secret]]) {
      const { stdout, stderr } = run({ headers: sign(new Date(), secrets) });
      expect(`${stdout.trim()}${stderr}`).toBe("card.frozen");
    }
  });

  test("refuses a wrong secret, a tampered body and a stale or future time", () => {
    const refused = [
      run({ secret: previous }),
      run({ body: body.replace("frozen", "closed") }),
      run({ headers: sign(new Date(Date.now() - 400_000), [secret]) }),
      run({ headers: sign(new Date(Date.now() + 400_000), [secret]) }),
    ];
    for (const { status, stdout, stderr } of refused) {
      expect(stdout).not.toContain("card.");
      expect(status).not.toBe(0);
      expect(`${stdout}${stderr}`).toMatch(/time stamp|signature is not right/u);
    }
  });
});

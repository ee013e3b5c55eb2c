import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { findFreePort } from "#db/postmaster.ts";
import { testDatabase } from "#test/database/database.ts";
import { newCard, newIntegrator } from "#test/scene/fixtures.ts";
import { readBlocks } from "#test/scene/guide-blocks.ts";
import type { GuideBlock } from "#test/scene/guide-blocks.ts";
import { HERE } from "#test/outside/notifications.ts";
import { startWorker } from "#lib/webhooks/worker.ts";
import type { RunningWorker } from "#lib/webhooks/worker.ts";
import { EdgeRig } from "./edge/edge-rig.ts";
import { GUIDES } from "#app/docs/guides.ts";

/** The address of the server, which the client library's address names. */
const settings = vi.hoisted(() => ({ PUBLIC_URL: "" }));

vi.mock("#lib/base/env.ts", async (original) => {
  const { withSettings } = await import("#test/run/settings.ts");
  return withSettings(original, settings);
});

/** Runs the guides as a reader does: each one from top to bottom in one shell, against a real server. */

const ROOT = path.join(import.meta.dirname, "..");
const folder = mkdtempSync(path.join(tmpdir(), "floatdeck-guides-"));

let rig: EdgeRig;
let worker: RunningWorker;

beforeAll(async () => {
  rig = await EdgeRig.start();
  settings.PUBLIC_URL = `http://127.0.0.1:${rig.port}`;
  worker = startWorker(testDatabase().db, HERE);
});

afterAll(async () => {
  await worker.stop();
  rig.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The port that the quick start's receiver is written with. */
const RECEIVER_PORT = "4000";

/** Blocks named after a file in there quote it; the fault tests run the examples. */
const EXAMPLES = "examples/";

/** A guide may install packages. Each of its blocks has a limit of its own. */
const GUIDE_MS = 240_000;

/** npm asks nobody but the server from which it installs. */
const NPM_OFFLINE = { npm_config_audit: "false", npm_config_update_notifier: "false" };

/** One reader's shell. What it prints is kept. */
class Shell {
  output = "";
  private readonly bash: ChildProcess;
  private blocks = 0;

  constructor(environment: Record<string, string>) {
    // A group of its own: what it leaves running in the background ends with it.
    this.bash = spawn("bash", ["-m", "-o", "pipefail"], {
      cwd: folder,
      detached: true,
      env: { ...process.env, ...NPM_OFFLINE, ...environment },
    });
    const keep = (chunk: Buffer) => {
      this.output += chunk.toString("utf8");
    };
    this.bash.stdout?.on("data", keep);
    this.bash.stderr?.on("data", keep);
  }

  /** Runs a block. Answers what was printed until it ended. */
  async run(text: string): Promise<string> {
    this.blocks += 1;
    const end = `end of block ${this.blocks}: `;
    const from = this.output.length;
    this.bash.stdin?.write(`${text}\nblock_status=$?; echo; echo "${end}$block_status"\n`);
    await this.waitFor(end);
    const [printed = "", status = ""] = this.output.slice(from).split(`\n${end}`, 2);
    // What runs in the background may print right behind it.
    expect([status.trim().split("\n", 1)[0], printed]).toEqual(["0", printed]);
    return printed;
  }

  async waitFor(text: string): Promise<void> {
    await vi
      .waitUntil(() => this.output.includes(text), { timeout: 60_000 })
      .catch(() => {
        throw new Error(`The shell never printed "${text}", but this:\n${this.output}`);
      });
  }

  async stop(): Promise<void> {
    const ended = once(this.bash, "exit");
    // The whole group, and the shell with it: the end of npx alone does not end what it runs.
    this.bash.stdin?.end("kill $(jobs -p) 2>/dev/null; kill -- -$$\n");
    await ended;
  }
}

/** What a block is for, and how this is proven. A block for anything else fails. */
const USES: Readonly<
  Record<string, (block: GuideBlock, shell: Shell, printed: string) => Promise<string>>
> = {
  run: (block, shell) => shell.run(block.text),
  // The launcher before it may install packages, which other tests are using.
  checkout: (block, shell) => shell.run(`(cd '${ROOT}' && ${toLaunched(block.text)})`),
  answer: async (block, _shell, printed) => {
    const json = printed.slice(printed.indexOf("{"), printed.lastIndexOf("}") + 1);
    expect(JSON.parse(json)).toMatchObject(JSON.parse(block.text));
    return printed;
  },
  output: async (block, shell, printed) => {
    await shell.waitFor(block.text.trim());
    return printed;
  },
  install: async (block, _shell, printed) => {
    linkPackage(block.text);
    return printed;
  },
  // Every browser test runs on a server that was started like this (bin/throw-away.ts).
  start: async (block, _shell, printed) => {
    const { scripts } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8"));
    expect(block.text.trim()).toBe("npm start");
    expect(scripts.start).toBe("node bin/run.mjs start.ts");
    return printed;
  },
  // bin/testing.test.ts runs them in an empty project.
  suite: async (_block, _shell, printed) => printed,
  // lib/webhooks/snippets.test.ts runs it.
  verify: async (_block, _shell, printed) => printed,
  event: async (block, shell) => {
    const list = 'curl -s "$BASE_URL/events?limit=1" -H "Authorization: Bearer $API_KEY"';
    await shell.run(`until ${list} | grep '"event":'; do :; done`);
    const printed = await shell.run(list);
    const { data } = JSON.parse(printed);
    expect(Object.keys(JSON.parse(block.text)).toSorted()).toEqual(Object.keys(data[0]).toSorted());
    return printed;
  },
};

/** What a command of package.json starts, on the Node that runs this. */
function toLaunched(line: string): string {
  const { scripts } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8"));
  const [, name = "", args = ""] = /^npm run (\S+) -- (.+)$/mu.exec(line) ?? [];
  const [, program] = /^node bin\/run\.mjs (\S+)$/u.exec(scripts[name]) ?? [];
  expect([line, program]).toEqual([line, expect.any(String)]);
  return `'${process.execPath}' bin/${program} ${args}`;
}

function findUse({ use }: GuideBlock) {
  if (use.startsWith(EXAMPLES)) {
    return quote;
  }
  return use.includes(".") ? save : USES[use];
}

async function save({ use, text }: GuideBlock, _shell: Shell, printed: string): Promise<string> {
  writeFileSync(path.join(folder, use), text);
  return printed;
}

async function quote({ use, text }: GuideBlock, _shell: Shell, printed: string): Promise<string> {
  expect(toLeft(readFileSync(path.join(ROOT, "docs", use), "utf8"))).toContain(toLeft(text));
  return printed;
}

/** A quote begins at the left, wherever it is in its file. */
function toLeft(code: string): string {
  return code.replaceAll(/^ +/gmu, "");
}

/** What these guides tell their readers to install is installed here already, and is linked into the reader's folder. */
function linkPackage(text: string): void {
  const [, name = ""] = /^npm install (\S+)$/u.exec(text.trim()) ?? [];
  const { devDependencies } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8"));
  expect(Object.keys(devDependencies)).toContain(name);
  mkdirSync(path.join(folder, "node_modules"), { recursive: true });
  symlinkSync(path.join(ROOT, "node_modules", name), path.join(folder, "node_modules", name));
}

/** A guide that makes a card of its own begins with an empty account. */
function startsEmpty(blocks: readonly GuideBlock[]): boolean {
  return blocks.some(({ use, text }) => use === "run" && /^CARD_ID=/mu.test(text));
}

/** What every refusal says of itself. */
const PROBLEM = '"type":"/docs/errors#';

/** Whether a refusal is what the guide wants to show. */
function isAnsweredBy(blocks: readonly GuideBlock[], block: GuideBlock): boolean {
  return blocks[blocks.indexOf(block) + 1]?.text.includes("/docs/errors#") ?? false;
}

describe.each(GUIDES)("$name", ({ file }) => {
  test(
    "every code block says who runs it, and does what the guide says",
    async () => {
      const blocks = readBlocks(file);
      const isEmpty = startsEmpty(blocks);
      const integrator = await newIntegrator(isEmpty ? 0 : 1_000_000);
      const card = isEmpty ? null : await newCard(integrator);
      const receiverPort = String(await findFreePort());
      const shell = new Shell({
        BASE_URL: `http://127.0.0.1:${rig.port}/api`,
        API_KEY: integrator.apiKey,
        ...(card && { CARD_ID: card.id }),
      });
      try {
        let printed = "";
        for (const block of blocks) {
          const placed = { ...block, text: block.text.replaceAll(RECEIVER_PORT, receiverPort) };
          const use = findUse(block);
          expect(use, `${file}: nothing runs \`\`\`${block.language} ${block.use}`).toBeDefined();
          printed = (await use?.(placed, shell, printed)) ?? "";
          expect(
            printed.includes(PROBLEM) && block.use === "run" && !isAnsweredBy(blocks, block),
          ).toBe(false);
        }
      } finally {
        await shell.stop();
      }
    },
    GUIDE_MS,
  );
});

// @ts-check
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import folder from "./folder.cjs";

/** The checkout that this file is part of. */
const CHECKOUT = path.dirname(folder);
const LOG_MAX = 200_000;
const READY = /^floatdeck: Ready on (?<url>\S+) /mu;

/** Of the suite's environment, the server gets what any program needs: no setting of another server applies to it. */
const INHERITED = ["PATH", "HOME", "TMPDIR", "LANG", "USER"];

/**
 * Starts a server that ends with this process, however this process ends.
 * @param {{ pages: boolean, settings: Readonly<Record<string, string>>, timeout: number }} options
 * @returns {Promise<{ baseUrl: string, log: () => string, stop: () => Promise<void> }>}
 */
export async function startServer({ pages, settings, timeout }) {
  refuseCopy();
  const args = ["throw-away.ts", "--attached", "--empty", ...(pages ? [] : ["--api-only"])];
  const child = spawn(process.execPath, [path.join(CHECKOUT, "bin/run.mjs"), ...args], {
    env: toEnvironment(settings),
    stdio: ["pipe", "pipe", "pipe"],
    // Ctrl-C reaches the suite alone, which may still use the server to clean up. The server ends after it.
    detached: true,
  });
  let log = "";
  const keep = (/** @type {Buffer} */ chunk) => {
    log = `${log}${chunk.toString()}`.slice(-LOG_MAX);
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  const exited = once(child, "exit");
  const baseUrl = await waitUntilReady({ child, exited, log: () => log, timeout });
  letGo(child);
  return {
    baseUrl,
    log: () => log,
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        child.ref();
        child.stdin.end();
        await exited;
      }
    },
  };
}

/**
 * @param {{ child: import("node:child_process").ChildProcessWithoutNullStreams, exited: Promise<unknown[]>, log: () => string, timeout: number }} server
 * @returns {Promise<string>}
 */
async function waitUntilReady({ child, exited, log, timeout }) {
  return new Promise((resolve, reject) => {
    const look = () => {
      const url = READY.exec(log())?.groups?.["url"];
      if (url) {
        finish();
        resolve(url);
      }
    };
    const fail = () => {
      finish();
      reject(new Error(`Floatdeck did not start:\n${log().trim()}`));
    };
    const timer = setTimeout(() => {
      child.stdin.end();
      finish();
      reject(
        new Error(
          `Floatdeck was not ready within ${timeout / 1_000} s (timeout):\n${log().trim()}`,
        ),
      );
    }, timeout);
    const finish = () => {
      clearTimeout(timer);
      child.stdout.off("data", look);
    };
    child.stdout.on("data", look);
    exited.then(fail, fail);
  });
}

/**
 * A suite that forgets to stop its server can end all the same; the server follows.
 * @param {import("node:child_process").ChildProcessWithoutNullStreams} child
 */
function letGo(child) {
  child.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr]) {
    if ("unref" in stream && typeof stream.unref === "function") {
      stream.unref();
    }
  }
}

/** @param {Readonly<Record<string, string>>} settings */
function toEnvironment(settings) {
  const inherited = INHERITED.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return {
    ...Object.fromEntries(inherited),
    // Half of a start would be reading TypeScript that has not changed.
    NODE_COMPILE_CACHE: path.join(CHECKOUT, "node_modules/.cache/floatdeck"),
    // Each account registers from an address of its own, so that the limit per address refuses none.
    TRUSTED_PROXIES: "1",
    WEBHOOK_LOOPBACK: "on",
    ...settings,
  };
}

/** Node.js does not run TypeScript inside node_modules. */
function refuseCopy() {
  if (CHECKOUT.includes("/node_modules/")) {
    throw new Error(
      `${CHECKOUT} is a copy of a checkout, which cannot run: install the checkout as a link, with npm install --install-links=false <its directory>.`,
    );
  }
}

import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Mode } from "./edge/page-headers.ts";
import { BUSY, pagesUsageSchema, QUIET } from "./pages-settings.ts";
import type { PagesSettings, PagesUsage } from "./pages-settings.ts";
import { tell, watchPages } from "./pages-watch.ts";
import { watchApiLoad } from "./pages-yield.ts";
import { log } from "#lib/base/log.ts";
import { timeLimit } from "#db/time-limits.ts";

/** The program beside this one, so that a bundle starts a bundle. */
const PROGRAM = path.join(import.meta.dirname, `pages${path.extname(import.meta.filename)}`);

/**
 * A socket path may have 103 bytes on macOS; `/floatdeck-pages-1234567890-XXXXXX/socket` needs 41 of them.
 */
const TEMPORARY_PATH_MAX = 60;

const RESTART_PAUSE_MIN_MS = 100;
const RESTART_PAUSE_MAX_MS = 30_000;
/** After running this long, the next failure counts as the first. */
const STABLE_MS = 60_000;

/**
 * Heap limits for serving pages; in development the compiler needs more. Source maps stay off, because the pages'
 * source maps would take 100 MB more.
 */
const HEAP_LIMITS = ["--max-old-space-size=256", "--max-semi-space-size=4"];

/** A page that needs neither a session nor the database. */
const PROBE_PATH = "/sign-in";

/** What the process that serves pages uses, and how often it was replaced. */
export interface PagesFigures {
  /** Null while it does not run. */
  memoryBytes: number | null;
  /** The sum of this process and its predecessors. */
  cpuSeconds: number;
  restarts: number;
}

/**
 * The process that serves pages, kept alive: when it ends or fails to start, it is restarted, first immediately and
 * then with pauses that double up to half a minute. None of its failures ends the process that serves the API.
 */
export class PagesProcess {
  private readonly settings: PagesSettings;
  private child: ChildProcess | undefined;
  private answers = false;
  private isApiBusy = false;
  private isStopping = false;
  private pauseMs = RESTART_PAUSE_MIN_MS;
  private restarts = 0;
  /** The usage that the running process last reported. */
  private usage: PagesUsage | undefined;
  /** The processor time of its predecessors. */
  private cpuSecondsBefore = 0;

  constructor(options: { databaseUrl: string; mode: Mode }) {
    const parent = tmpdir().length > TEMPORARY_PATH_MAX ? "/tmp" : tmpdir();
    // Mode 0700: a process that could connect to the socket could forge a client's address.
    const directory = mkdtempSync(path.join(parent, `floatdeck-pages-${process.pid}-`));
    this.settings = { ...options, socketPath: path.join(directory, "socket") };
  }

  /** Starts the process, as often as it takes. Resolves once it answers pages, or is stopped. */
  async start(): Promise<void> {
    try {
      await this.launch();
    } catch (error) {
      this.child?.kill("SIGKILL");
      if (!this.isStopping) {
        log.error(
          { err: error, pauseMs: this.pauseMs },
          "Could not start the pages; trying again.",
        );
        await this.restart();
      }
    }
  }

  /** The socket it listens on while it answers. */
  get socketPath(): string {
    return this.settings.socketPath;
  }

  isAnswering(): boolean {
    return this.answers;
  }

  /** Whether pages wait for an allowance of processor time, because the API is busy. */
  isLimited(): boolean {
    return this.answers && this.isApiBusy;
  }

  readUsage(): PagesFigures {
    return {
      memoryBytes: this.usage?.memoryBytes ?? null,
      cpuSeconds: this.cpuSecondsBefore + (this.usage?.cpuSeconds ?? 0),
      restarts: this.restarts,
    };
  }

  /** Ends the process and any requests in progress. */
  async stop(): Promise<void> {
    this.isStopping = true;
    const { child } = this;
    if (child && !hasEnded(child)) {
      const gone = once(child, "exit");
      child.disconnect();
      const timer = setTimeout(() => child.kill("SIGKILL"), timeLimit("pagesStop"));
      await gone;
      clearTimeout(timer);
    }
    rmSync(path.dirname(this.settings.socketPath), { recursive: true, force: true });
  }

  private async launch(): Promise<void> {
    const { mode, socketPath } = this.settings;
    rmSync(socketPath, { force: true });
    const child = spawn(
      process.execPath,
      [...(mode === "production" ? HEAP_LIMITS : []), PROGRAM],
      {
        // Gives it its own session, whose priority it can lower.
        detached: true,
        env: toEnvironment(mode),
        stdio: ["ignore", "inherit", "inherit", "ipc"],
      },
    );
    this.child = child;
    const startedAt = performance.now();
    const timer = setTimeout(() => child.kill("SIGKILL"), timeLimit("pagesSilence"));
    child.once("spawn", () => watchPages(child));
    const { promise: ended, reject } = Promise.withResolvers<never>();
    ended.catch(() => undefined);
    child.on("error", reject);
    child.on("message", (message) => {
      this.usage = pagesUsageSchema.safeParse(message).data ?? this.usage;
    });
    child.once("exit", (code, signal) => {
      this.cpuSecondsBefore += this.usage?.cpuSeconds ?? 0;
      this.usage = undefined;
      reject(new Error(`The process that serves pages ended (${signal ?? code}).`));
    });
    try {
      child.send(this.settings);
      await Promise.race([ended, once(child, "message")]);
      // In development, pages are compiled when they are first requested, not now.
      await (mode === "production" ? Promise.race([ended, this.probe()]) : undefined);
    } finally {
      clearTimeout(timer);
    }
    if (hasEnded(child)) {
      await ended;
    }
    this.answers = true;
    const load = mode === "production" ? this.shareLoad(child) : undefined;
    child.once("exit", (code, signal) => {
      this.answers = false;
      load?.stop();
      if (performance.now() - startedAt > STABLE_MS) {
        this.pauseMs = RESTART_PAUSE_MIN_MS;
      }
      if (!this.isStopping) {
        log.error(
          { reason: signal ?? code },
          "The process that serves pages ended; restarting it.",
        );
        void this.restart();
      }
    });
  }

  /** Tells the process whether the API is busy. In development, pages take what they need for compiling. */
  private shareLoad(child: ChildProcess): Watch {
    this.isApiBusy = false;
    return watchApiLoad((isBusy) => {
      this.isApiBusy = isBusy;
      tell(child, isBusy ? BUSY : QUIET);
    });
  }

  private async restart(): Promise<void> {
    await sleep(this.pauseMs, undefined, { ref: false });
    this.pauseMs = Math.min(this.pauseMs * 2, RESTART_PAUSE_MAX_MS);
    if (this.isStopping) {
      return;
    }
    this.restarts += 1;
    await this.start();
  }

  private async probe(): Promise<void> {
    const { socketPath } = this.settings;
    const probe = request({ socketPath, path: PROBE_PATH, headers: { host: "localhost" } });
    // The connection can break after the answer has begun, when nothing waits for the probe anymore.
    probe.on("error", () => undefined);
    probe.end();
    const [answer] = await once(probe, "response");
    answer.resume();
    if (answer.statusCode !== 200) {
      throw new Error(`The pages answer ${answer.statusCode} instead of ${PROBE_PATH}.`);
    }
  }
}

interface Watch {
  stop(): void;
}

/** Whether a process has ended. A process that the system could not start has no id, and never exits. */
function hasEnded({ pid, exitCode, signalCode }: ChildProcess): boolean {
  return pid === undefined || exitCode !== null || signalCode !== null;
}

/** Pages need the API's settings, except the role that owns the tables. */
function toEnvironment(mode: Mode): NodeJS.ProcessEnv {
  return {
    ...process.env,
    DATABASE_MIGRATION_URL: "",
    NODE_ENV: mode === "production" ? "production" : "development",
    NEXT_TELEMETRY_DISABLED: "1",
  };
}

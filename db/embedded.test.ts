import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connect } from "./connect.ts";
import { claimData } from "./data-owner.ts";
import { prepareHome, removeHome } from "./embedded-home.ts";
import { startEmbedded } from "./embedded.ts";
import type { EmbeddedDatabase } from "./embedded.ts";

const SETTINGS = ["fsync=off", "full_page_writes=off", "shared_buffers=16MB"];
const LONG_MS = 120_000;

let place: string;
/** A directory whose database was created and stopped. Creating one takes longer than all else here. */
let prepared: string;

beforeAll(async () => {
  place = mkdtempSync(path.join(tmpdir(), "floatdeck-embedded-"));
  chmodSync(place, 0o755);
  prepared = path.join(place, "prepared");
  const database = await start(prepared);
  await database.stop();
});

afterAll(async () => {
  await Promise.all(started.map((database) => database.stop()));
  rmSync(place, { recursive: true, force: true });
});

const started: EmbeddedDatabase[] = [];

async function start(dir: string): Promise<EmbeddedDatabase> {
  const database = await startEmbedded(dir, SETTINGS);
  started.push(database);
  return database;
}

/** Starts a database in a new directory, where how it is created does not matter. */
function begin(dir: string): Promise<EmbeddedDatabase> {
  copy(prepared, dir);
  return start(dir);
}

function ask(database: EmbeddedDatabase, statement: string): Promise<unknown> {
  return askAt(database.ownerUrl, statement);
}

async function askAt(url: string, statement: string): Promise<unknown> {
  const owner = connect(url, { max: 1, onnotice: () => undefined });
  try {
    const [row] = await owner.unsafe(statement).values();
    return row?.[0];
  } finally {
    await owner.end();
  }
}

function copy(from: string, to: string, how = "-a"): void {
  execFileSync("cp", [how, from, to]);
}

function postmasterOf(dir: string): number {
  return Number(readFileSync(path.join(dir, "postgres", "postmaster.pid"), "utf8").split("\n")[0]);
}

describe("a copy of a data directory", () => {
  test(
    "made while nothing was running starts its own database, and the original's is not touched",
    async () => {
      const [dir, copied] = [path.join(place, "one"), path.join(place, "one-copied")];
      const first = await begin(dir);
      await ask(first, "create table told (by text); insert into told values ('original')");
      await first.stop();
      // When run as root, the copied files belong to root.
      copy(dir, copied, "-r");
      const original = await start(dir);
      const pid = postmasterOf(dir);
      const other = await start(copied);
      expect(other.started).toBe(true);
      expect(other.ownerUrl).not.toBe(original.ownerUrl);
      await ask(other, "update told set by = 'copy'");
      expect(await ask(original, "select by from told")).toBe("original");
      await other.stop();
      expect(other.isRunning()).toBe(false);
      expect(postmasterOf(dir)).toBe(pid);
      expect(await ask(original, "select by from told")).toBe("original");
      await original.stop();
    },
    LONG_MS,
  );

  test(
    "made under a running database is refused in one sentence, then and later",
    async () => {
      const [dir, copied] = [path.join(place, "two"), path.join(place, "two-copied")];
      const original = await begin(dir);
      copy(dir, copied);
      const sentence = `${copied}/postgres is a copy of ${dir}/postgres, made while PostgreSQL was running there`;
      await expect(start(copied)).rejects.toThrow(sentence);
      expect(await ask(original, "select 'answers'")).toBe("answers");
      await original.stop();
      await expect(start(copied)).rejects.toThrow(sentence);
    },
    LONG_MS,
  );
});

test(
  "a directory moved after a crash starts at its new place, and a server left running is adopted",
  async () => {
    const [dir, moved] = [path.join(place, "three"), path.join(place, "three-moved")];
    const before = await begin(dir);
    expect(await start(dir)).toMatchObject({
      started: false,
      ownerUrl: before.ownerUrl,
    });
    process.kill(postmasterOf(dir), "SIGKILL");
    await expect.poll(() => before.isRunning()).toBe(false);
    renameSync(dir, moved);
    const after = await start(moved);
    expect(after.started).toBe(true);
    expect(await ask(after, "select 'answers'")).toBe("answers");
    await after.stop();
  },
  LONG_MS,
);

const isSocket = (file: string) => file.startsWith(".s.PGSQL.");

/** Where a connection comes from, as PostgreSQL sees it: null for a Unix socket. */
const ORIGIN = "select host(inet_client_addr())";

test(
  "the server's role connects through a socket that only this account can reach, also after a crash",
  async () => {
    const dir = path.join(place, "with spaces, and %41");
    const database = await start(dir);
    await ask(database, "create role floatdeck login superuser");
    const password = new URL(database.appUrl).password;
    await ask(database, `alter role floatdeck password '${password}'`);
    expect(await askAt(database.appUrl, ORIGIN)).toBe("127.0.0.1");
    expect(await askAt(database.localUrl, ORIGIN)).toBeNull();
    expect(statSync(path.join(dir, "postgres")).mode & 0o777).toBe(0o700);
    process.kill(postmasterOf(dir), "SIGKILL");
    await expect.poll(() => database.isRunning()).toBe(false);
    await database.restart();
    expect(await askAt(database.localUrl, ORIGIN)).toBeNull();
    await database.stop();
  },
  LONG_MS,
);

test(
  "a start waits for the processes that a killed PostgreSQL left: they still have its memory",
  async () => {
    const dir = path.join(place, "left");
    const database = await start(dir);
    const checkpointer = Number(
      await askAt(
        database.ownerUrl,
        "select pid::text from pg_stat_activity where backend_type = 'checkpointer'",
      ),
    );
    process.kill(checkpointer, "SIGSTOP");
    process.kill(postmasterOf(dir), "SIGKILL");
    await expect.poll(() => database.isRunning()).toBe(false);
    const restarted = database.restart();
    await expect
      .poll(() => readFileSync(database.logFile, "utf8"))
      .toContain("pre-existing shared memory block");
    process.kill(checkpointer, "SIGCONT");
    await restarted;
    expect(await askAt(database.ownerUrl, "select 'here'")).toBe("here");
    await database.stop();
  },
  LONG_MS,
);

test(
  "where the path is too long for a socket, the server's role connects over loopback",
  async () => {
    const dir = path.join(place, "long".repeat(25));
    const database = await start(dir);
    expect(database.localUrl).toBe(database.appUrl);
    expect(readdirSync(path.join(dir, "postgres")).filter(isSocket)).toEqual([]);
    await database.stop();
  },
  LONG_MS,
);

test.runIf(process.platform === "linux")(
  "a zombie process is not taken for a running PostgreSQL",
  async () => {
    const dir = path.join(place, "five");
    const before = await begin(dir);
    await before.stop();
    // The first process ends once its parent is another program, which never reaps it.
    const program = "exec 3<&0; { read -r _ <&3; } & echo $!; exec sleep 60";
    const parent = spawn("sh", ["-c", program], { ...prepareHome(dir).user });
    const [line] = await once(parent.stdout, "data");
    const zombie = Number(line);
    await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, "utf8")).toBe("sleep\n");
    parent.stdin.write("\n");
    await expect.poll(() => readFileSync(`/proc/${zombie}/stat`, "utf8")).toMatch(/\) Z /u);
    const file = path.join(dir, "postgres", "postmaster.pid");
    const { port } = new URL(before.ownerUrl);
    writeFileSync(file, `${zombie}\n${dir}/postgres\n0\n${port}\n.\n127.0.0.1\n`);
    writeFileSync(path.join(dir, "postgres", `.s.PGSQL.${port}.lock`), `${zombie}\n`);
    try {
      expect(before.isRunning()).toBe(false);
      const after = await start(dir);
      expect(await ask(after, "select 'answers'")).toBe("answers");
      await after.stop();
    } finally {
      parent.kill();
    }
  },
  LONG_MS,
);

const isRoot = process.getuid?.() === 0;

if (!isRoot) {
  process.stdout.write(
    "This account is not root: the test of data outside a private directory is skipped.\n",
  );
}

describe("data outside the directory", () => {
  test("stay with a moved directory, and are refused to a copy", () => {
    const data = path.join(place, "data-1");
    const [dir, moved, copied] = ["a", "a-moved", "a-copied"].map((name) => path.join(place, name));
    if (!dir || !moved || !copied) {
      throw new Error("There are three names.");
    }
    mkdirSync(dir);
    claimData(data, dir);
    claimData(data, dir);
    copy(dir, copied);
    expect(() => claimData(data, copied)).toThrow(`${copied} is a copy of ${dir}, whose database`);
    renameSync(dir, moved);
    claimData(data, moved);
    expect(() => claimData(data, copied)).toThrow(
      `${copied} is a copy of ${moved}, whose database`,
    );
  });

  test.skipIf(!isRoot)(
    "are neither started nor stopped for a copy",
    async () => {
      const [dir, copied] = [path.join(place, "four"), path.join(place, "four-copied")];
      // Only root may enter it, so its data live elsewhere.
      mkdirSync(dir, { mode: 0o700 });
      const original = await start(dir);
      copy(dir, copied);
      await expect(start(copied)).rejects.toThrow(/ is a copy of /u);
      expect(await ask(original, "select 'answers'")).toBe("answers");
      await original.stop();
      const data = readFileSync(path.join(dir, "postgres-data"), "utf8").trim();
      removeHome(dir);
      const left = [dir, data, `${data}.log`, `${data}.owner`].filter((file) => existsSync(file));
      expect(left).toEqual([]);
    },
    LONG_MS,
  );
});

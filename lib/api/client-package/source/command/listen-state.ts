import { randomBytes } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { CommandFailure } from "./failure.ts";

/** How far the events of one account have been forwarded. */
interface Position {
  /** Everything up to here has arrived. */
  cursor: string;
  /** What has arrived after it. */
  arrived: string[];
}

interface Kept {
  secret: string;
  accounts: Record<string, Position>;
}

/** The signing secret and the positions, in a file that is replaced as a whole after each delivery. */
export class ListenState {
  readonly #file: string;
  readonly #account: string;
  readonly #kept: Kept;

  constructor(file: string, account: string) {
    this.#file = file;
    this.#account = account;
    this.#kept = read(file) ?? {
      secret: `whsec_${randomBytes(32).toString("base64")}`,
      accounts: {},
    };
  }

  get secret(): string {
    return this.#kept.secret;
  }

  /** Undefined before the first time. */
  get cursor(): string | undefined {
    return this.#kept.accounts[this.#account]?.cursor;
  }

  hasArrived(id: string): boolean {
    return this.#kept.accounts[this.#account]?.arrived.includes(id) ?? false;
  }

  addArrived(id: string): void {
    this.#kept.accounts[this.#account]?.arrived.push(id);
    this.#write();
  }

  moveTo(cursor: string): void {
    if (cursor !== this.cursor) {
      this.#kept.accounts[this.#account] = { cursor, arrived: [] };
      this.#write();
    }
  }

  /**
   * Never leaves half a file behind, whenever the process is killed.
   * @throws CommandFailure where the file cannot be written.
   */
  #write(): void {
    const next = `${this.#file}.${process.pid}.tmp`;
    try {
      writeFileSync(next, `${JSON.stringify(this.#kept, null, 2)}\n`, { mode: 0o600 });
      renameSync(next, this.#file);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new CommandFailure(
        `Cannot write ${this.#file}, where listen keeps its signing secret and position: ${reason}. Pass --state with a file that can be written.`,
      );
    }
  }
}

function read(file: string): Kept | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") {
      return undefined;
    }
    throw new CommandFailure(`Cannot read ${file}: ${String(error)}`);
  }
  const kept = parse(text);
  if (!isKept(kept)) {
    throw new CommandFailure(`${file} was not written by listen. Remove it, or pass --state.`);
  }
  return kept;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isKept(value: unknown): value is Kept {
  return (
    typeof value === "object" &&
    value !== null &&
    "secret" in value &&
    typeof value.secret === "string" &&
    "accounts" in value &&
    typeof value.accounts === "object"
  );
}

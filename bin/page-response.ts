import { ServerResponse } from "node:http";

/**
 * A page's answer, sent once it is complete. Next.js would send the first part of a navigation's answer before the page
 * has read anything, and a status that has been sent cannot be changed.
 */
export class PageResponse extends ServerResponse {
  private held: Buffer[] | undefined;
  private whenMade: (() => void) | undefined;
  private head: unknown[] | undefined;
  private isUnavailable = false;
  private isWithheld = false;

  /**
   * Sends nothing before `end`. Without this, everything is sent as it is written.
   * @param whenMade is called once the answer is complete, before its client has read it, or once the client has gone.
   */
  holdUntilComplete(whenMade: () => void): void {
    this.held = [];
    this.whenMade = whenMade;
    this.once("close", whenMade);
  }

  /**
   * Answers a page that fails with 503 instead of 500. Call it before the answer is complete.
   * @returns false when it was called before.
   */
  answerUnavailable(): boolean {
    const isFirst = !this.isUnavailable;
    this.isUnavailable = true;
    return isFirst;
  }

  /** Discards everything written, and answers 503 without content. Call it before the answer is complete. */
  withhold(): void {
    this.isWithheld = true;
  }

  override writeHead(...args: unknown[]): this {
    if (this.held) {
      this.head = args;
      return this;
    }
    // `apply` binds this method and those below: a spread of arguments does not match any of their overloads.
    // oxlint-disable-next-line typescript/unbound-method
    return Reflect.apply(super.writeHead, this, args);
  }

  override flushHeaders(): void {
    if (!this.held) {
      super.flushHeaders();
    }
  }

  override write(...args: unknown[]): boolean {
    if (!this.held) {
      // oxlint-disable-next-line typescript/unbound-method
      return Reflect.apply(super.write, this, args);
    }
    this.held.push(toBuffer(args));
    const done = args.at(-1);
    if (typeof done === "function") {
      process.nextTick(done);
    }
    return true;
  }

  override end(...args: unknown[]): this {
    // oxlint-disable-next-line typescript/unbound-method
    const endWith = (rest: unknown[]) => Reflect.apply(super.end, this, rest);
    const { held } = this;
    if (!held) {
      return endWith(args);
    }
    this.held = undefined;
    this.whenMade?.();
    this.sendHead();
    const content = this.isWithheld ? [] : [Buffer.concat([...held, toBuffer(args)])];
    return endWith([...content, ...args.filter(isFunction)]);
  }

  private sendHead(): void {
    if (!this.isWithheld) {
      const [status, ...rest] = this.head ?? [this.statusCode];
      // Calls the instance's method, because Next.js replaces it to compress the answer.
      this.writeHead(this.isUnavailable && status === 500 ? 503 : status, ...rest);
      return;
    }
    for (const name of this.getHeaderNames()) {
      this.removeHeader(name);
    }
    super.writeHead(503, { "Content-Length": 0 });
  }
}

/** The content among the arguments of `write` or `end`. */
function toBuffer([chunk, encoding]: readonly unknown[]): Buffer {
  if (typeof chunk === "string") {
    return Buffer.from(chunk, isEncoding(encoding) ? encoding : "utf8");
  }
  return chunk instanceof Uint8Array ? Buffer.from(chunk) : Buffer.alloc(0);
}

function isEncoding(value: unknown): value is BufferEncoding {
  return typeof value === "string" && Buffer.isEncoding(value);
}

function isFunction(value: unknown): boolean {
  return typeof value === "function";
}

import { BODIES, HEADERS, LITERALS, METHODS, NAMES, SEGMENTS, TEXTS } from "./fuzz-hostile.ts";
import { KINDS } from "./fuzz-tenant.ts";
import type { DocumentedOperation } from "./fuzz-document.ts";
import type { Random } from "./fuzz-random.ts";
import type { Casting, Made } from "./fuzz-requests.ts";

const TARGET_MAX = 8_000;
/** A placeholder for a part of a body that is inserted as raw text. */
const PLACEHOLDER = "@part@";
/**
 * The response to a request that the server cannot parse has a body, even if the request was a HEAD; the client then
 * cannot parse it.
 */
const UNPARSABLE = "Content-Length";

/** Breaks requests, in one place at a time. */
export class Breakage {
  private readonly random: Random;
  private readonly operations: readonly DocumentedOperation[];

  constructor(random: Random, operations: readonly DocumentedOperation[]) {
    this.random = random;
    this.operations = operations;
  }

  /** The request with one part replaced. */
  apply(made: Made, casting: Casting): Made {
    const ways = [
      () => this.breakPath(made, casting),
      () => this.breakQuery(made),
      () => this.breakHeader(made),
      () => this.breakMember(made),
      () => this.breakMember(made),
      () => this.breakBody(made),
      ...(this.random.chance(0.3) ? [() => this.breakMethod(made)] : []),
    ];
    return { ...made, ...this.random.pick(ways)(), isWhole: false };
  }

  private breakPath({ operation, target }: Made, casting: Casting): Partial<Made> {
    const { path } = operation;
    if (!path.includes("{id}")) {
      return this.random.chance(0.2) ? { target: `${target.split("?", 1)[0]}/no/such/path` } : {};
    }
    return { target: `/api${path.replace("{id}", () => this.toSegment(casting))}` };
  }

  /** An id of another kind, another integrator's id, or none. */
  private toSegment({ tenant, stranger }: Casting): string {
    const kind = this.random.pick(KINDS);
    const known = this.random.pick([tenant, stranger ?? tenant]).known[kind];
    return known.length > 0 && this.random.chance(0.6)
      ? encodeURIComponent(this.random.pick(known))
      : this.random.pick(SEGMENTS);
  }

  private breakQuery({ operation, target }: Made): Partial<Made> {
    const names = operation.query.map(({ name }) => name);
    const name =
      names.length > 0 && this.random.chance(0.6)
        ? this.random.pick(names)
        : this.random.pick(NAMES);
    const parameter = this.random.chance(0.1)
      ? this.random.pick(["%", "a=%zz", "%ff=%00", "=", "&&&", "a", "?"])
      : String(new URLSearchParams([[name, this.random.pick(TEXTS)]]));
    const times = this.random.chance(0.2) ? 2 : 1;
    const added = Array.from({ length: times }, () => parameter).join("&");
    return { target: `${target}${target.includes("?") ? "&" : "?"}${added}`.slice(0, TARGET_MAX) };
  }

  private breakHeader({ headers, method }: Made): Partial<Made> {
    const [name, values] = this.random.pick(HEADERS);
    if (method === "HEAD" && name === UNPARSABLE) {
      return {};
    }
    return { headers: { ...headers, [name]: this.random.pick(values) } };
  }

  private breakMember({ members }: Made): Partial<Made> {
    if (!members) {
      return {};
    }
    const inner = Object.entries(members).filter(([, value]) => isObject(value));
    if (inner.length === 0 || this.random.chance(0.5)) {
      return { members: null, body: this.writeBroken(members) };
    }
    const [name, part] = this.random.pick(inner);
    const around = JSON.stringify({ ...members, [name]: PLACEHOLDER });
    return {
      members: null,
      body: around.replace(`"${PLACEHOLDER}"`, () => this.writeBroken(Object(part))),
    };
  }

  /** Raw text, because an object would lose a member named __proto__ and a duplicate member. */
  private writeBroken(members: object): string {
    const written = Object.entries(members).map(
      ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`,
    );
    const at = this.random.below(written.length + 1);
    const [name = this.random.pick(NAMES)] = Object.keys(members).slice(at);
    const value = this.random.chance(0.5)
      ? JSON.stringify(this.random.pick(TEXTS))
      : this.random.pick(LITERALS);
    // Replaced, omitted, or duplicated.
    const replaces = this.random.chance(0.9) ? 1 : 0;
    const broken = this.random.chance(0.1) ? [] : [`${JSON.stringify(name)}:${value}`];
    return `{${written.toSpliced(at, replaces, ...broken).join(",")}}`;
  }

  private breakBody({ headers }: Made): Partial<Made> {
    const type = this.random.chance(0.9) ? { "Content-Type": "application/json" } : {};
    return { members: null, body: this.random.pick(BODIES), headers: { ...headers, ...type } };
  }

  /** One that the document does not have at this path. */
  private breakMethod({ operation, headers }: Made): Partial<Made> {
    if (UNPARSABLE in headers) {
      return {};
    }
    const { path } = operation;
    const there = this.operations.filter((each) => each.path === path);
    const others = METHODS.filter((method) => there.every((each) => each.method !== method));
    return { method: this.random.pick(others) };
  }
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

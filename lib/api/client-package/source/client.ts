import type { Incoming, Outgoing } from "./exchange.ts";
import { Call } from "./call.ts";
import { Download } from "./download.ts";
import { requireSendable } from "./headers.ts";
import { named } from "./named.ts";
import { Pages } from "./pages.ts";
import { toBaseUrl, toOutgoing } from "./request.ts";
import type {
  Arguments,
  Client,
  ClientContract,
  ClientOptions,
  Operation,
  Query,
} from "./request.ts";
import { send } from "./send.ts";

type Method = (...given: unknown[]) => unknown;
type Nouns = Record<string, Record<string, Method>>;

/** Node.js 20 does not say which runtime it is. */
const RUNTIME: string = "navigator" in globalThis ? navigator.userAgent : "Node.js";

/** The class of clients of this contract. Its operations are `client.noun.method(id?, input?, options?)`. */
export function defineClient(contract: ClientContract): new (options: ClientOptions) => Nouns {
  return class Floatdeck {
    [noun: string]: Record<string, Method>;

    constructor(options: ClientOptions) {
      if (!options.apiKey) {
        throw new TypeError("apiKey is required.");
      }
      requireSendable("apiKey", options.apiKey);
      // The key is not a member, which whoever prints the client would print.
      const baseUrl = toBaseUrl("baseUrl", options.baseUrl ?? contract.baseUrl);
      const { apiVersion } = contract;
      const headers = {
        Authorization: `Bearer ${options.apiKey}`,
        "Api-Version": apiVersion,
        "User-Agent": `floatdeck/${apiVersion} ${RUNTIME}`,
        ...options.headers,
      };
      const client = { baseUrl, home: toHome(options), headers, options: { ...options } };
      for (const [noun, text] of Object.entries(contract.operations)) {
        this[noun] = toMethods(noun, text, client);
      }
    }
  };
}

/** The address of the cell that the key names; one without a cell is of the first. */
function toHome({ apiKey, cells }: ClientOptions): string | undefined {
  const [, cell = "c1"] = /_(c\d+)_/u.exec(apiKey) ?? [];
  const given = cells?.[cell];
  return given === undefined ? given : toBaseUrl(`cells.${cell}`, given);
}

/** What a letter of the contract stands for. */
const WORDS: Readonly<Record<string, string>> = { C: "PATCH", P: "POST", K: "cursor", F: "file" };

/** The operations of a noun, as the contract has them. */
function toMethods(noun: string, text: string, client: Client): Record<string, Method> {
  const methods: Record<string, Method> = {};
  const [base = "", ...lines] = text.split(";");
  for (const line of lines) {
    const words = line.split(" ").map((word) => WORDS[word] ?? word);
    const [verb = "", place = "", trait = "-", method = "GET"] = words;
    const path = place.replace("~", base).replace("%", verb);
    const operation = { name: `${noun}.${verb}`, method, path, trait };
    methods[verb] = named(verb, (...given) =>
      perform(operation, toArguments(operation, given), client),
    );
  }
  return methods;
}

/** Tells the arguments apart, taking each from `rest`: an id if the path has one, the input if there is one, the options. */
function toArguments({ name, path, trait }: Operation, rest: unknown[]): Arguments {
  const id = path.includes(":") ? rest.shift() : ":";
  if (typeof id !== "string" || /^\.{0,2}$/u.test(id)) {
    // An empty id would make the path that of another operation, and so would dots.
    throw new TypeError(`${name} needs an id.`);
  }
  const input = trait === "-" ? undefined : toMembers(rest.shift());
  return { id, input, options: toMembers(rest.shift()) ?? {} };
}

function toMembers(value: unknown): Query | undefined {
  return Object(value) === value ? { ...Object(value) } : undefined;
}

function perform(operation: Operation, given: Arguments, client: Client): Call {
  const read = async (next?: Query, answers: Outgoing["answers"] = "json"): Promise<Incoming> => {
    const input = next ? { ...given.input, ...next } : given.input;
    return send({ ...toOutgoing(operation, { ...given, input }, client), answers });
  };
  const { trait } = operation;
  if (trait === "file") {
    return new Download((answers) => read(undefined, answers));
  }
  if (trait === "cursor" || trait === "after") {
    return new Pages(trait, read);
  }
  const call = new Call(read);
  void call.withResponse();
  return call;
}

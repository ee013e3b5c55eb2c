import { vi } from "vitest";
import { createFetchApi } from "#test/scene/api-client.ts";
import { toClientContract } from "#lib/api/client-package/package.ts";
import { defineClient } from "#lib/api/client-package/source/client.ts";
import { run } from "#lib/api/client-package/source/command/run.ts";
import type { Made } from "#lib/api/client-package/source/command/run.ts";
import { TRIGGERS } from "#lib/events/events.ts";

/** What a call of the client's command came to. */
export interface Ran {
  exitCode: number;
  printed: string;
}

let made: Made | undefined;

/** Derives the client from the whole contract, once. */
function makeClient(): Made {
  if (!made) {
    const contract = toClientContract("http://127.0.0.1:3000");
    made = { Floatdeck: defineClient(contract), baseUrl: contract.baseUrl, triggers: TRIGGERS };
  }
  return made;
}

/** Runs the client's command against the API of this process: `runCommand("trigger card.frozen", key)`. */
export async function runCommand(line: string, key: string): Promise<Ran> {
  const api = createFetchApi();
  vi.stubGlobal("fetch", (url: string, init: RequestInit) => api(new Request(url, init)));
  let printed = "";
  const print = (text: string | Uint8Array) => {
    printed += String(text);
    return true;
  };
  const spies = [
    vi.spyOn(process.stdout, "write").mockImplementation(print),
    vi.spyOn(process.stderr, "write").mockImplementation(print),
  ];
  try {
    const exitCode = await run(makeClient(), [...line.split(" "), "--key", key]);
    return { exitCode, printed };
  } finally {
    vi.unstubAllGlobals();
    for (const spy of spies) {
      spy.mockRestore();
    }
  }
}

// @ts-check
import { accounts } from "./account.js";
import { startServer } from "./server.js";

/**
 * @import { ConnectOptions, RunningFloatdeck, Sandbox, StartOptions } from "./index.d.ts"
 */

/**
 * @param {StartOptions} [options]
 * @returns {Promise<RunningFloatdeck>}
 */
export async function startFloatdeck({ pages = false, settings = {}, timeout = 60_000 } = {}) {
  const server = await startServer({ pages, settings, timeout });
  const { newAccount, close } = accounts(server.baseUrl);
  return {
    baseUrl: server.baseUrl,
    newAccount,
    log: server.log,
    stop: async () => {
      await close();
      await server.stop();
    },
  };
}

/**
 * @param {ConnectOptions} options
 * @returns {Sandbox}
 */
export function connectFloatdeck({ baseUrl }) {
  const url = baseUrl.replace(/\/+$/u, "").replace(/\/api$/u, "");
  const { newAccount, close } = accounts(url);
  return { baseUrl: url, newAccount, stop: close };
}

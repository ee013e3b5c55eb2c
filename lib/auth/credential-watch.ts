import { CREDENTIAL_CHANNEL, toCredentialChange } from "#lib/access/credential-changes.ts";
import { forgetAllCredentials, forgetCredentials } from "#lib/auth/authenticate.ts";
import { log } from "#lib/base/log.ts";
import { listen } from "#db/listener.ts";

/**
 * Listens for changed credentials, and drops them from this process's cache. While the connection is lost, a cached
 * credential expires after five seconds. Once the connection is back, the whole cache is dropped, because announcements
 * were missed.
 * @param url leads to PostgreSQL itself, or to a pool in session mode.
 */
export function startCredentialWatch(url: string): { stop(): Promise<void> } {
  let wasLost = false;
  return listen(url, CREDENTIAL_CHANNEL, {
    onMessage: (payload) => forgetCredentials(toCredentialChange(payload)),
    onConnected: () => {
      forgetAllCredentials();
      if (wasLost) {
        wasLost = false;
        log.info("Changed API keys and settings apply at once on all servers again.");
      }
    },
    onLost: (error) => {
      wasLost = true;
      log.warn(
        { err: error },
        "Cannot listen for changed API keys and settings; they apply here within five seconds.",
      );
    },
  });
}

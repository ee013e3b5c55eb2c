import { CREDENTIAL_CHANNEL, toCredentialChange } from "#lib/access/credential-changes.ts";
import { forgetAllCredentials, forgetCredentials } from "#lib/auth/authenticate.ts";
import { log } from "#lib/base/log.ts";
import { listen } from "#db/listener.ts";

/**
 * Drops credentials from the cache as soon as any server or command has changed them. While the connection is lost, they
 * expire by themselves; once it is back, all of them are dropped.
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

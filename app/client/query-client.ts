import { QueryClient } from "@tanstack/react-query";
import { isLost, OfflineError } from "#lib/api/client.ts";

const RETRIES_MAX = 2;

/**
 * Creates the client. Requests are sent immediately or fail. By default, the library would hold requests back while
 * the browser is offline and send them on reconnecting, when the person may have given up long ago.
 */
export function newQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      mutations: { networkMode: "always" },
      queries: {
        networkMode: "always",
        refetchOnReconnect: false,
        refetchOnWindowFocus: false,
        retry: (failures, error) =>
          isLost(error) && !(error instanceof OfflineError) && failures < RETRIES_MAX,
      },
    },
  });
}

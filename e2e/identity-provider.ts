import { once } from "node:events";
import { createServer } from "node:http";
import { Provider } from "oidc-provider";

/** What the server under test and this provider know of each other (`playwright.config.ts`). */
export const CLIENT = { id: "floatdeck", secret: "a secret between the two of them" } as const;

/** Where the provider is beside a server on this port: another host, so that neither sees the other's cookies. */
export function toIssuer(serverPort: number): string {
  return `http://localhost:${serverPort + 1}`;
}

/**
 * Somebody else's OpenID Connect provider: certified software, with its own forms for signing in and agreeing. Whoever
 * types an email there is that person; it counts as verified unless it begins with `unverified`.
 */
export async function startProvider(serverUrl: string): Promise<{ stop(): Promise<void> }> {
  const issuer = toIssuer(Number(new URL(serverUrl).port));
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [`${serverUrl}/api/auth/callback/openid`],
      },
    ],
    claims: { openid: ["sub"], email: ["email", "email_verified"] },
    cookies: { keys: ["a key for tests alone"] },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ sub: id, email: id, email_verified: !id.startsWith("unverified") }),
    }),
  });
  const server = createServer(provider.callback());
  server.listen(Number(new URL(issuer).port), "localhost");
  await once(server, "listening");
  return {
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

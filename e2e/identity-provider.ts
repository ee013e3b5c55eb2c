import { once } from "node:events";
import { createServer } from "node:http";
import { Provider } from "oidc-provider";

/** The client registration that the server under test and this provider share (`playwright.config.ts`). */
export const CLIENT = { id: "floatdeck", secret: "a secret between the two of them" } as const;

/** The provider's URL. Its host differs from the server's, so that neither receives the other's cookies. */
export function toIssuer(): string {
  return `http://localhost:${process.env["E2E_PROVIDER_PORT"]}`;
}

/**
 * A third-party OpenID Connect provider: certified software with its own sign-in and consent forms. It accepts any email
 * without a password and reports it as verified, unless it begins with `unverified`.
 */
export async function startProvider(serverUrl: string): Promise<{ stop(): Promise<void> }> {
  const issuer = toIssuer();
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

/** next-auth's browser code, loaded when somebody signs in. */
const load = () => import("next-auth/react");

/** Signs in with a password. Returns next-auth's result and does not navigate. */
export async function enter(given: { email: string; password: string; code?: string }) {
  const { signIn } = await load();
  return signIn("credentials", { ...given, redirect: false });
}

/** Goes to the identity provider, and from there to the target. */
export async function enterByProvider(target: string): Promise<void> {
  const { signIn } = await load();
  await signIn("openid", { callbackUrl: target });
}

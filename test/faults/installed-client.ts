import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Rig } from "./rig.ts";

/** Installs the client library that the rig's server hands out, as a package of the folder. @returns the package's folder. */
export async function installClient(rig: Pick<Rig, "baseUrl">, folder: string): Promise<string> {
  const { origin } = new URL(rig.baseUrl);
  const address = (await (await fetch(`${origin}/client`)).text()).trim();
  const tarball = await fetch(`${origin}${new URL(address).pathname}`);
  const modules = path.join(folder, "node_modules", "floatdeck");
  mkdirSync(modules, { recursive: true });
  writeFileSync(path.join(folder, "client.tgz"), Buffer.from(await tarball.arrayBuffer()));
  execFileSync("tar", ["xzf", "client.tgz", "-C", modules, "--strip-components=1"], {
    cwd: folder,
  });
  return modules;
}

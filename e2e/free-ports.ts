import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Above every port that browsers refuse, and below those that systems give to outgoing connections, at any moment. */
const [LEAST, MOST] = [12_000, 32_000];

/** @returns the first of so many consecutive ports that nobody listens at. Two runs that begin together draw different ones. */
export async function findFreePorts(count: number): Promise<number> {
  for (;;) {
    const first = randomInt(LEAST, MOST);
    const ports = Array.from({ length: count }, (_, index) => first + index);
    const free = await Promise.all(ports.map(isFree));
    if (free.every(Boolean)) {
      return first;
    }
  }
}

/** Listens at all addresses, as the provider's name may stand for any of this machine. */
async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  try {
    probe.listen(port);
    await once(probe, "listening");
    return true;
  } catch {
    return false;
  } finally {
    probe.close();
  }
}

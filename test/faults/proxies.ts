import { hasPackages } from "#test/run/packages.ts";
import { startHaproxy } from "./haproxy.ts";
import { startNginx } from "./nginx.ts";

/** The proxies that docs/deploy has a file for. */
export const PROXIES = [
  { name: "HAProxy", isInstalled: hasPackages("haproxy"), start: startHaproxy },
  { name: "nginx", isInstalled: hasPackages("nginx"), start: startNginx },
];

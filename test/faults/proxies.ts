import { isHaproxyInstalled, startHaproxy } from "./haproxy.ts";
import { isNginxInstalled, startNginx } from "./nginx.ts";

/** The proxies that docs/deploy has a file for. */
export const PROXIES = [
  { name: "HAProxy", isInstalled: isHaproxyInstalled(), start: startHaproxy },
  { name: "nginx", isInstalled: isNginxInstalled(), start: startNginx },
];

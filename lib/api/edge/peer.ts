const addresses = new WeakMap<Request, string>();

/** Notes the network address a request came from; a Request itself does not know it. */
export function setPeer(request: Request, address: string): void {
  addresses.set(request, address);
}

/** The address a request came from, null where the server could not tell. */
export function peerOf(request: Request): string | null {
  return addresses.get(request) ?? null;
}

const addresses = new WeakMap<Request, string>();

/** Records the network address a request came from; a Request does not carry it. */
export function setPeer(request: Request, address: string): void {
  addresses.set(request, address);
}

/** The address a request came from; null when the server could not determine it. */
export function peerOf(request: Request): string | null {
  return addresses.get(request) ?? null;
}

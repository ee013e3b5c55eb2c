const AS_JSON = /\bapplication\/json\b/iu;

/** next-auth answers 500 to a body that is not JSON although it should be, and writes a stack to the log. */
export async function refuseMalformedBody(request: Request): Promise<Response | undefined> {
  if (request.method !== "POST" || !AS_JSON.test(request.headers.get("content-type") ?? "")) {
    return undefined;
  }
  try {
    await request.clone().json();
    return undefined;
  } catch {
    return Response.json({ message: "The body must be valid JSON." }, { status: 400 });
  }
}

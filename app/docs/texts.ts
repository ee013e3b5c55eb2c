import { readGuide } from "./contents.ts";
import { GUIDES, toGuideHref } from "./guides.ts";
import { env } from "#lib/base/env.ts";

/** The parts of the documentation that programs read. */

/** Answers with a guide's source, by the name of its page or of its file, which links within guides use. */
export async function answerGuide(name: string): Promise<Response> {
  const guide = GUIDES.find(({ slug, file }) => slug === name || file === `${name}.md`);
  const headers = { "content-type": "text/markdown; charset=utf-8" };
  return guide
    ? new Response(await readGuide(guide), { headers })
    : new Response(`There is no guide ${name}.\n`, { status: 404, headers });
}

/** Answers with the overview that programs look for first (llmstxt.org). */
export function answerOverview(): Response {
  const { publicUrl } = env();
  const guides = GUIDES.map(
    (guide) => `- [${guide.name}](${publicUrl}${toGuideHref(guide)}.md): ${guide.summary}`,
  );
  const text = `# Floatdeck

> Cards and the float that funds them, over HTTP with an API key. Amounts are integers in minor units.

- [OpenAPI 3.1 document](${publicUrl}/api/openapi.json): every operation, event, and error code
- [Client library](${publicUrl}/client): the address of the package for npm

## Guides

${guides.join("\n")}
`;
  return new Response(text, { headers: { "content-type": "text/plain; charset=utf-8" } });
}

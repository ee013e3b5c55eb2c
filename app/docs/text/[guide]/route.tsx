import { answerGuide } from "../../texts.ts";

/** `/docs/webhooks.md`. */
async function answer(
  _request: Request,
  { params }: { params: Promise<{ guide: string }> },
): Promise<Response> {
  return answerGuide((await params).guide);
}

export { answer as GET };

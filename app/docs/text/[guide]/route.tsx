import { answerGuide } from "../../texts.ts";

/** `/docs/webhooks.md`. */
export async function GET(
  _request: Request,
  { params }: { params: Promise<{ guide: string }> },
): Promise<Response> {
  return answerGuide((await params).guide);
}

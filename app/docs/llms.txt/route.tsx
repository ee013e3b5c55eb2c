/** `/llms.txt`. */
export { answerOverview as GET } from "../texts.ts";

/** The address of the server is known when it runs. */
export const dynamic = "force-dynamic";

/** `/llms.txt`. */
export { answerOverview as GET } from "../texts.ts";

/** The server's address is known only at run time. */
export const dynamic = "force-dynamic";

import { printParseErrorCode, visit } from "jsonc-parser";
import type { ParseErrorCode } from "jsonc-parser";
import { toPrintable } from "#lib/base/printable.ts";

/** How many characters to quote from the place where the text stops being JSON. */
const SHOWN_MAX = 20;

const STRICT = { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false };

/** Where a text stops being JSON. */
interface Fault {
  code: ParseErrorCode;
  line: number;
  column: number;
  /** The text at that place; empty at the end of the text. */
  found: string;
}

/**
 * Explains why a text is not JSON: where it fails, what is there, what is expected, and the usual cause. Quotes what
 * was sent.
 */
export function toJsonFault(text: string): string {
  const fault = findFault(text);
  if (!fault) {
    return "The body is not valid JSON.";
  }
  const { line, column, found, code } = fault;
  const stands = found === "" ? "the text ends" : `"${toPrintable(found, SHOWN_MAX)}" stands`;
  const sentence = `The body is not valid JSON: at line ${line}, column ${column}, ${stands} where ${EXPECTED[printParseErrorCode(code)] ?? VALUE} is expected.`;
  const cause = CAUSES.find(({ is }) => is(text, fault));
  return cause ? `${sentence} ${cause.advice}` : sentence;
}

/** Explains why bytes are not UTF-8. */
export function toEncodingFault([first, second]: Uint8Array): string {
  const isUtf16 = first === 0xff && second === 0xfe;
  return isUtf16
    ? "The body is UTF-16, as Windows PowerShell writes files. Send UTF-8: Set-Content -Encoding utf8."
    : "The body is not valid UTF-8.";
}

function findFault(text: string): Fault | undefined {
  let first: Fault | undefined;
  const onError = (code: ParseErrorCode, ...at: readonly number[]) => {
    const [offset = 0, length = 0, line = 0, column = 0] = at;
    const found = text.slice(offset, offset + length);
    first ??= { code, found, line: line + 1, column: column + 1 };
  };
  try {
    visit(text, { onError }, STRICT);
  } catch (error) {
    // The parser recurses, so deep nesting can exhaust the stack before the body ends.
    if (!(error instanceof RangeError)) {
      throw error;
    }
  }
  return first;
}

const NAME = "the name of a member in double quotes";
const VALUE = "a value";

/** What was expected, by the parser's error names. */
const EXPECTED: Readonly<Record<string, string>> = {
  InvalidSymbol: `${NAME}, or ${VALUE},`,
  InvalidNumberFormat: "a number",
  PropertyNameExpected: NAME,
  ValueExpected: VALUE,
  ColonExpected: "a colon",
  CommaExpected: "a comma",
  CloseBraceExpected: "a closing brace",
  CloseBracketExpected: "a closing bracket",
  EndOfFileExpected: "the end of the body",
  InvalidCommentToken: `${NAME}, or ${VALUE},`,
  UnexpectedEndOfComment: `${NAME}, or ${VALUE},`,
  UnexpectedEndOfString: "text that ends in double quotes on the same line",
  UnexpectedEndOfNumber: "a number",
  InvalidUnicode: "an escape such as \\u00e9",
  InvalidEscapeCharacter: "a valid escape such as \\n",
  InvalidCharacter: "an escape such as \\n for a control character",
};

/** The usual causes, most specific first. */
const CAUSES: readonly { is: (text: string, fault: Fault) => boolean; advice: string }[] = [
  {
    is: (text) => text.startsWith("[object "),
    advice: "The object was not serialized: send JSON.stringify(body).",
  },
  {
    is: (_text, { found }) => found.startsWith("'"),
    advice: "JSON takes double quotes, not single ones.",
  },
  {
    is: (_text, { found }) => /^[\u201c\u201d\u2018\u2019]/u.test(found),
    advice: "JSON takes straight double quotes, not typographic ones.",
  },
  {
    is: (_text, { found }) => /^(?:True|False|None|NaN|undefined)\b/u.test(found),
    advice: "JSON writes true, false, and null.",
  },
  {
    is: (text) => /^\s*\{/u.test(text) && !text.includes('"'),
    advice:
      "The body has no double quotes: Windows PowerShell removes them from arguments. Write the body to a file, and send it with --data-binary @body.json.",
  },
  {
    is: (_text, { found }) => found === "}" || found === "]",
    advice: "Remove the comma before it, or add what is missing.",
  },
  {
    is: (text) => /^[\w.[\]%-]+=/u.test(text),
    advice: "This is a form: send a JSON object.",
  },
];

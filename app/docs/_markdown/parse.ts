import { lexer } from "marked";
import type { MarkedToken, Token } from "marked";

const BLOCKS = ["space", "heading", "paragraph", "text", "list", "table", "code"] as const;
const INLINES = ["strong", "em", "codespan", "link", "br", "text", "escape"] as const;

/** The block tokens that a page shows. */
export type BlockToken = Extract<MarkedToken, { type: (typeof BLOCKS)[number] }>;

/** The inline tokens that a page shows. */
export type InlineToken = Extract<MarkedToken, { type: (typeof INLINES)[number] }>;

/** Parses a document into tokens, without comments, which are for its editors. */
export function parseMarkdown(text: string): readonly BlockToken[] {
  return toBlocks(lexer(text).filter(({ type, raw }) => type !== "html" || !isComment(raw)));
}

function isComment(html: string): boolean {
  return html.startsWith("<!--");
}

/** @throws Error for a token that no page can show. */
export function toBlocks(tokens: readonly Token[]): readonly BlockToken[] {
  requireShown(tokens, BLOCKS);
  // Just checked; the library's own type also admits tokens of extensions.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return tokens as readonly BlockToken[];
}

/** @throws Error for a token that no page shows within a line. */
export function toInlines(tokens: readonly Token[] = []): readonly InlineToken[] {
  requireShown(tokens, INLINES);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return tokens as readonly InlineToken[];
}

function requireShown(tokens: readonly Token[], types: readonly string[]): void {
  const token = tokens.find(({ type }) => !types.includes(type));
  if (token) {
    throw new Error(`No page shows ${token.type} here: ${token.raw}`);
  }
}

/** The fragment that leads to a heading, the same one that GitHub gives it. */
export function toFragment(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/gu, "-");
}

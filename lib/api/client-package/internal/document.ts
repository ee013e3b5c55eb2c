import type { Schema } from "#lib/api/client-package/internal/type-text.ts";

/** The part of the OpenAPI document that types come from. */
export interface Document {
  paths: Readonly<Record<string, Readonly<Record<string, PathItem>>>>;
  components: { schemas: Readonly<Record<string, Schema>> };
  webhooks: Readonly<Record<string, { post: Pick<PathItem, "requestBody"> }>>;
}

type Content = Readonly<Record<string, { schema: Schema }>>;

export interface PathItem {
  parameters?: readonly { name: string; in: string; schema: Schema; description?: string }[];
  requestBody?: { required?: boolean; content: Content };
  responses: Readonly<Record<string, { content?: Content }>>;
}

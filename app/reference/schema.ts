import { z } from "zod";

/** The parts of a JSON Schema that the reference shows. */
export const jsonSchema = z.object({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  format: z.string().optional(),
  pattern: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  description: z.string().optional(),
  default: z.unknown().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  maxLength: z.number().optional(),
  required: z.array(z.string()).optional(),
  get anyOf() {
    return z.array(jsonSchema).optional();
  },
  get oneOf() {
    return z.array(jsonSchema).optional();
  },
  get items() {
    return jsonSchema.optional();
  },
  get properties() {
    return z.record(z.string(), jsonSchema).optional();
  },
  get additionalProperties() {
    return z.union([z.boolean(), jsonSchema]).optional();
  },
});

export type JsonSchema = z.output<typeof jsonSchema>;

const examples = z.record(z.string(), z.object({ value: z.unknown() })).optional();

/** The content of a request or an answer, by its media type. */
const content = z.record(
  z.string(),
  z.object({ schema: jsonSchema.optional(), example: z.unknown().optional(), examples }),
);

const parameterSchema = z.object({
  name: z.string(),
  in: z.enum(["path", "query", "header", "cookie"]),
  required: z.boolean().default(false),
  description: z.string().optional(),
  schema: jsonSchema,
  example: z.unknown().optional(),
  examples,
});

/** An operation of the document. */
export const operationSchema = z.object({
  operationId: z.string(),
  summary: z.string(),
  description: z.string().optional(),
  tags: z.array(z.string()).default([]),
  parameters: z.array(parameterSchema).default([]),
  requestBody: z.object({ required: z.boolean().default(false), content }).optional(),
  responses: z.record(
    z.string(),
    z.object({ description: z.string(), content: content.optional() }),
  ),
});

export type DocumentedOperation = z.output<typeof operationSchema>;

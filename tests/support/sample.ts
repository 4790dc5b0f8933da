import { z } from 'zod'

export interface JsonSchema {
  type?: string
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  maxLength?: number
  minLength?: number
  maximum?: number
  pattern?: string
  enum?: unknown[]
  const?: unknown
}

/** A value that a schema takes, as far as its JSON Schema tells. */
export const sampleOf = (schema: z.ZodType): unknown => sample(jsonSchemaOf(schema))

export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
}

/** A value that the schema takes, as far as its JSON Schema tells. */
export function sample(schema: JsonSchema): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const choices = schema.oneOf ?? schema.anyOf
  if (choices?.[0]) return sample(choices[0])
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        // what an address looks like is no pattern of a schema, but a check by code
        (schema.required ?? []).map((name) => [
          name,
          name === 'url' ? 'https://example.com' : sample(schema.properties?.[name] ?? {}),
        ]),
      )
    case 'array':
      return schema.items ? [sample(schema.items)] : []
    case 'string':
      return schema.pattern?.includes('@') ? 'sample@example.com' : 'a'.repeat(Math.max(16, schema.minLength ?? 0))
    case 'boolean':
      return true
    default:
      return 1
  }
}

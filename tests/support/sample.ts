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

/** A valid value of a schema, as far as its JSON Schema tells. */
export const sampleOf = (schema: z.ZodType): unknown => sample(jsonSchemaOf(schema))

export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
}

/** A valid value of a JSON Schema. */
export function sample(schema: JsonSchema): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const choices = schema.oneOf ?? schema.anyOf
  if (choices?.[0]) return sample(choices[0])
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        // formats checked by code are not part of a JSON Schema: addresses go by the field's name
        (schema.required ?? []).map((name) => [
          name,
          name === 'url' ? 'https://example.com' : sample(schema.properties?.[name] ?? {}),
        ]),
      )
    case 'array':
      return schema.items ? [sample(schema.items)] : []
    case 'string':
      if (schema.pattern?.includes('@')) return 'sample@example.com'
      return sampleText(schema)
    case 'boolean':
      return true
    default:
      return 1
  }
}

/** A name or an id; digits, or the code of a language, where the pattern wants those. */
function sampleText({ pattern, minLength = 0 }: JsonSchema): string {
  const text = 'a'.repeat(Math.max(16, minLength))
  if (pattern === undefined) return text
  const wanted = new RegExp(pattern, 'u')
  return [text, '123456', 'en'].find((each) => wanted.test(each)) ?? text
}

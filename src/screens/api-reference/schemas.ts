import type { Schema } from '../../api/publicApi'

/** A field of an object, for a table. */
export interface Field {
  name: string
  /** such as `text`, `list of objects`, `“a” or “b”` */
  type: string
  required: boolean
  description: string | undefined
  /** of an object, or of the objects in a list */
  fields: readonly Field[]
}

/** How deep fields are listed: what lies deeper is seen in an example's answer. */
const DEPTH = 4

/** The fields of a schema, or of the objects that it lists. */
export function fieldsOf(schema: Schema, depth = 0): Field[] {
  const object = objectOf(schema)
  if (!object?.properties || depth >= DEPTH) return []
  return Object.entries(object.properties).map(([name, field]) => ({
    name,
    type: typeOf(field),
    required: object.required?.includes(name) ?? false,
    description: field.description,
    fields: fieldsOf(field, depth + 1),
  }))
}

const alternatives = ({ anyOf, oneOf }: Schema): readonly Schema[] | undefined => anyOf ?? oneOf
const isNull = ({ type }: Schema) => type === 'null'

function objectOf(schema: Schema): Schema | undefined {
  if (schema.properties) return schema
  if (schema.items) return objectOf(schema.items)
  return alternatives(schema)
    ?.filter((each) => !isNull(each))
    .map(objectOf)
    .find((each) => each !== undefined)
}

/** A schema's type in the words of JSON. */
export function typeOf(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((each) => JSON.stringify(each)).join(' | ')
  const choices = alternatives(schema)
  if (choices) return [...new Set(choices.map(typeOf))].join(' | ')
  if (schema.items) {
    const item = typeOf(schema.items)
    return item.includes(' | ') ? `(${item})[]` : `${item}[]`
  }
  if (Array.isArray(schema.type)) return schema.type.join(' | ')
  return typeof schema.type === 'string' ? schema.type : 'any'
}

/** An example of a value: what is required, and of the rest what has a default. */
export function exampleOf(schema: Schema, name = ''): unknown {
  if (schema.default !== undefined) return schema.default
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const [choice] = alternatives(schema) ?? []
  if (choice) return exampleOf(choice, name)
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([each]) => schema.required?.includes(each))
          .map(([each, value]) => [each, exampleOf(value, each)]),
      )
    case 'array':
      return schema.items ? [exampleOf(schema.items, name)] : []
    case 'string':
      if (name === 'url' || name === 'urls') return 'https://example.com'
      return schema.format === 'date' ? '2026-01-31' : name
    case 'boolean':
      return true
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    default:
      return {}
  }
}

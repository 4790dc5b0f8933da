/** The parts of JSON Schema that the API's description has. */
export interface Schema {
  type?: string | string[]
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  allOf?: readonly Schema[]
  items?: Schema
  prefixItems?: readonly Schema[]
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  additionalProperties?: boolean | Schema
  description?: string
  format?: string
}

const KNOWN = new Set(
  'type const enum anyOf oneOf allOf items prefixItems properties required additionalProperties description format'.split(
    ' ',
  ),
)
/** Rules that types can't say. */
const RULES = new Set(
  'pattern minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems uniqueItems default propertyNames'.split(
    ' ',
  ),
)

const PLAIN: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
}

/**
 * @returns a JSON Schema as a TypeScript type
 * @throws Error for a keyword that neither becomes a type nor is a mere rule, so that none is lost silently
 */
export function typeText(schema: Schema): string {
  for (const keyword of Object.keys(schema))
    if (!KNOWN.has(keyword) && !RULES.has(keyword)) throw new Error(`no type for ${keyword} yet`)
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)))
  const either = schema.anyOf ?? schema.oneOf
  if (either) return union(either.map(typeText))
  if (schema.allOf) return schema.allOf.map((part) => `(${typeText(part)})`).join(' & ')
  const { type } = schema
  if (Array.isArray(type)) return union(type.map((one) => typeText({ ...schema, type: one })))
  if (type === 'array') return arrayText(schema)
  if (type === 'object') return objectText(schema)
  if (type === undefined) return 'unknown'
  const plain = PLAIN[type]
  if (!plain) throw new Error(`no type for ${type}`)
  return plain
}

function arrayText({ items, prefixItems }: Schema): string {
  if (prefixItems) return `[${prefixItems.map(typeText).join(', ')}${items ? `, ...(${typeText(items)})[]` : ''}]`
  const item = items ? typeText(items) : 'unknown'
  return /^\w+$/.test(item) ? `${item}[]` : `(${item})[]`
}

function objectText({ properties = {}, required = [], additionalProperties }: Schema): string {
  const names = Object.keys(properties)
  if (names.length === 0) {
    if (additionalProperties === false) return 'Record<string, never>'
    const values = typeof additionalProperties === 'object' ? typeText(additionalProperties) : 'unknown'
    return `Record<string, ${values}>`
  }
  return `{\n${names.map((name) => propertyText(name, properties[name] ?? {}, required.includes(name))).join('\n')}\n}`
}

/** @returns a line of an object type, with what is to be known of it */
export function propertyText(name: string, schema: Schema, isRequired: boolean): string {
  const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)
  return `${commentText(schema.description)}${key}${isRequired ? '' : '?'}: ${typeText(schema)}`
}

/** @returns a comment for what stands below it; nothing for nothing */
export const commentText = (text: string | undefined): string =>
  text ? `/** ${text.replaceAll('*/', '*\\/').replaceAll('\n', '\n * ')} */\n` : ''

const union = (types: readonly string[]): string => [...new Set(types)].join(' | ')

import type { Json } from '../../../../engine/values/json'

/**
 * Validates a model's arguments for an MCP tool: names, types and choices at the top level. Returns them, or a sentence
 * for the model. The rest is validated by the tool's server: running its patterns here would be unsafe.
 */
export function toolArguments(
  schema: Record<string, Json>,
  input: unknown,
): { values: Record<string, unknown> } | { problem: string } {
  if (!isObject(input)) return { problem: 'The arguments must be an object.' }
  const problem = problemOf(schema, input)
  return problem === null ? { values: input } : { problem }
}

function problemOf(schema: Record<string, Json>, input: Record<string, unknown>): string | null {
  const properties = isObject(schema.properties) ? schema.properties : {}
  const required = Array.isArray(schema.required) ? schema.required : []
  const missing = required.find((name) => typeof name === 'string' && (input[name] ?? null) === null)
  if (missing !== undefined) return `${missing}: Enter a value`
  for (const [name, value] of Object.entries(input)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (property === undefined && schema.additionalProperties === false)
      return `${name.slice(0, 50)}: There is no such argument`
    const problem = isObject(property) && value !== null ? valueProblem(property, value) : null
    if (problem) return `${name}: ${problem}`
  }
  return null
}

function valueProblem(property: Record<string, unknown>, value: unknown): string | null {
  const types = [property.type].flat().filter((type) => typeof type === 'string')
  if (types.length > 0 && !types.some((type) => isOf(type, value))) return `Must be of the type ${types.join(' or ')}`
  const choices = property.enum
  if (!Array.isArray(choices) || choices.includes(value)) return null
  return `Must be one of ${choices.slice(0, 50).join(', ')}`
}

function isOf(type: string, value: unknown): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value)
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isObject(value)
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type
    default:
      // an unknown type is not validated
      return type !== 'null'
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

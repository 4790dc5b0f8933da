import type { AnyBlock, Port } from '../../../engine/flow/defineBlock'
import { jsonSchemaOf, newData } from './kindSettings'
import { sharedFields, textsOfKind } from './texts'

export interface Output {
  label: string
  /** the setting that makes it; empty: a new block has it */
  when: string
}

/** A port without a label is the plain way on. */
const nameOf = ({ label }: Port): string => label || 'Next'

/**
 * The outputs of a new block, and those that one other setting makes: each setting with few values is tried with each.
 */
export function outputsOf(definition: AnyBlock): Output[] {
  const data = newData(definition)
  const portsOf = (change: object): Port[] => {
    try {
      return definition.ports({ ...data, ...change } as never)
    } catch {
      return []
    }
  }
  const fields = { ...sharedFields(), ...textsOfKind(definition.kind).fields }
  const first = portsOf({})
  const known = new Set(first.map(nameOf))
  const outputs: Output[] = first.map((port) => ({ label: nameOf(port), when: '' }))
  for (const [name, schema] of Object.entries(jsonSchemaOf(definition).properties ?? {})) {
    const texts = fields[name] ?? {}
    for (const value of valuesOf(schema, data[name])) {
      const made = portsOf({ [name]: value }).filter((port) => !known.has(nameOf(port)))
      const chosen = typeof value === 'string' ? `“${texts.options?.[value] ?? value}”` : value === false ? 'off' : 'on'
      for (const port of made) {
        known.add(nameOf(port))
        const set = typeof value === 'number' ? 'is set' : `is ${chosen}`
        outputs.push({ label: nameOf(port), when: `“${texts.label ?? name}” ${set}` })
      }
    }
  }
  return outputs
}

/** The values to try of a setting that has few; of a number that may be left out, one. */
function valuesOf(schema: ReturnType<typeof jsonSchemaOf>, present: unknown): unknown[] {
  const choices = [schema, ...(schema.anyOf ?? [])]
  const values = choices.flatMap((each): unknown[] => {
    if (each.enum) return [...each.enum]
    if (each.type === 'boolean') return [true, false]
    if (each.type === 'integer' && present === null) return [Math.max(each.minimum ?? 1, 1)]
    return []
  })
  return values.filter((value) => value !== present)
}

import { z } from 'zod'
import type { AnyBlock } from '../../../engine/flow/defineBlock'
import type { Json } from '../../../engine/values/json'

/** A simple setting of a kind that can be changed for several blocks at once. */
export type SharedField =
  | { name: string; as: 'toggle' }
  | { name: string; as: 'select'; options: readonly string[] }
  | { name: string; as: 'number'; optional: boolean }
  | { name: string; as: 'variable' }

type Data = Readonly<Record<string, Json>>

/**
 * The settings of a kind that can be changed for several blocks at once: switches, choices, numbers and variables of
 * its schema, in order.
 */
export function sharedFields(definition: AnyBlock, example: Data): SharedField[] {
  const { schema } = definition
  if (!(schema instanceof z.ZodObject)) return []
  return Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([name, whole]): SharedField[] => {
    const optional = whole instanceof z.ZodNullable
    const field = optional ? whole.unwrap() : whole
    if (field instanceof z.ZodBoolean) return [{ name, as: 'toggle' }]
    if (field instanceof z.ZodEnum) return [{ name, as: 'select', options: field.options.map(String) }]
    if (field instanceof z.ZodNumber) return [{ name, as: 'number', optional }]
    return optional && namesVariable(definition, example, name) ? [{ name, as: 'variable' }] : []
  })
}

/** Whether the kind takes the field's value for a variable id: tested with an unused id. */
function namesVariable({ reads, writes }: AnyBlock, example: Data, name: string): boolean {
  try {
    const data = { ...example, [name]: NOBODYS }
    return reads(data).includes(NOBODYS) || writes(data).includes(NOBODYS)
  } catch {
    return false
  }
}

const NOBODYS = 'asked-by-shared-fields'

/** The fields whose values differ between the blocks. */
export function mixedFields(names: readonly string[], all: readonly Data[]): Set<string> {
  const [first, ...others] = all
  return new Set(names.filter((name) => others.some((data) => !isSame(data[name], first?.[name]))))
}

const isSame = (a: Json | undefined, b: Json | undefined): boolean => a === b || JSON.stringify(a) === JSON.stringify(b)

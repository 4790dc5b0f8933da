import fc from 'fast-check'
import type { z } from 'zod'
import { NUMBER_RANGE } from '../../engine/values/rules'

/** What random data and random replies may hold as text: sensible, wrong, long, of other scripts, not even text. */
export const words = [
  'yes',
  'No',
  '',
  '7',
  '-1.5',
  '999999999999',
  'a@b.co',
  'https://a.example',
  'not an address',
  'x'.repeat(40),
  'Ünï',
  '+49 170 1234567',
  '2026-11-21',
  '09:30',
  '\n',
  '👩‍👩‍👧 \u202eשלום مرحبا',
  '\0\ud800',
  '{{v0}} { __proto__',
  '(a+)+$',
]
export const flowIds = ['f1', 'f2']
export const variableIds = ['v0', 'v1', 'v2']
const GROUPS = 5
const BLOCKS = 4
export const groupIds = Array.from({ length: GROUPS + 1 }, (_, g) => `g${g}`)
export const blockIds = groupIds.flatMap((_, g) => Array.from({ length: BLOCKS + 1 }, (_, b) => `b${g}-${b}`))

/** Fields that name something: a kind calls them so, and then its random data leads to what is there, or just not. */
const references: Record<string, readonly string[]> = {
  variableId: [...variableIds, 'gone'],
  variable_id: [...variableIds, 'gone'],
  saveTo: [...variableIds, 'gone'],
  takeTo: [...variableIds, 'gone'],
  path: ['.a', '[0]', '[-1].b["c d"]'],
  groupId: groupIds,
  blockId: blockIds,
  intents: blockIds,
  flowId: [...flowIds, 'gone'],
  flowGroupId: groupIds,
  toVariable: [...variableIds, 'gone'],
  fromVariable: [...variableIds, 'gone'],
}
/** `saveName`, `saveDays` … name variables too */
const referencesOf = (field: string): readonly string[] | undefined =>
  references[field] ?? (/^save[A-Z]/.test(field) ? references.saveTo : undefined)

/** Fields whose numbers have to fit each other: any would hardly ever do. */
const numbers: Record<string, readonly number[]> = { percent: [0, 25, 50, 100] }

/** Random data for whatever a schema of JSON describes; mostly valid: what `refine` asks for is left to chance. */
export function randomDataOf(schema: z.ZodType, field = ''): fc.Arbitrary<unknown> {
  const { def } = schema as unknown as { def: Definition }
  const valid = <T>(values: readonly T[]): fc.Arbitrary<T> => {
    const taken = values.filter((value) => schema.safeParse(value).success)
    return fc.constantFrom(...(taken.length > 0 ? taken : values))
  }
  switch (def.type) {
    case 'object': {
      const fields = Object.entries(def.shape).map(([name, inner]) => [name, randomDataOf(inner, name)] as const)
      return fc.record(Object.fromEntries(fields))
    }
    case 'array':
      return fc.array(randomDataOf(def.element, field), { maxLength: 3 }).map((items) => items.map(withIdAt))
    case 'union': {
      const any = fc.oneof(...def.options.map((option) => randomDataOf(option, field)))
      // a rule on the whole (an address) is kept mostly: where several fields have one, else hardly any data would be valid
      const kept = any.filter((value) => schema.safeParse(value).success)
      return fc.oneof({ weight: 4, arbitrary: kept }, { weight: 1, arbitrary: any })
    }
    case 'nullable':
      return fc.option(randomDataOf(def.innerType, field))
    case 'optional':
      return fc.option(randomDataOf(def.innerType, field), { nil: undefined, freq: 1 })
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries))
    case 'literal':
      return fc.constantFrom(...def.values)
    case 'boolean':
      return fc.boolean()
    case 'number':
      return valid(numbers[field] ?? [...Array.from({ length: 19 }, (_, n) => n - 9), 300, NUMBER_RANGE.max])
    case 'string':
      return valid(referencesOf(field) ?? words)
    case 'lazy':
      return fc.constantFrom(null, 'text', 7, { id: 'x', list: [{ id: 'x' }] })
    default:
      throw new Error(`There is no random data for '${def.type}' yet: add it here.`)
  }
}

type Definition =
  | { type: 'object'; shape: Record<string, z.ZodType> }
  | { type: 'array'; element: z.ZodType }
  | { type: 'union'; options: z.ZodType[] }
  | { type: 'nullable' | 'optional'; innerType: z.ZodType }
  | { type: 'enum'; entries: Record<string, string> }
  | { type: 'literal'; values: unknown[] }
  | { type: 'boolean' | 'number' | 'string' | 'lazy' | 'record' }

/** Items of a list have different ids. */
const withIdAt = (item: unknown, at: number): unknown =>
  typeof item === 'object' && item !== null && 'id' in item ? { ...item, id: `i${at}` } : item

import { KINDS } from './features'
import { readTotals, type TokenField } from './tokens'

const K1 = 0.9
const B = 0.75
/** What an answer of an FAQ counts beside its question. */
const ANSWER = 0.5
/** The greatest that a feature can say of a chunk. */
export const FULL_IMPACT = (K1 + 1) * (1 + ANSWER)

/** How long fields are: passages, what FAQ entries ask, and what they answer, by kind of feature. */
export type Averages = Record<Role, [number, number, number]>
type Role = 'passage' | 'question' | 'answer'

const rolesOf = (fields: number): readonly Role[] => (fields > 1 ? ['question', 'answer'] : ['passage'])

/** @param heads of records, or whole ones */
export function averagesOf(heads: Iterable<Buffer>): Averages {
  const sums: Averages = { passage: [0, 0, 0], question: [0, 0, 0], answer: [0, 0, 0] }
  const counts = { passage: 0, question: 0, answer: 0 }
  for (const head of heads) {
    const fields = readTotals(head)
    const roles = rolesOf(fields.length)
    for (const [at, { totals }] of fields.entries()) {
      const role = roles[at] as Role
      counts[role]++
      for (let kind = 0; kind < KINDS; kind++) (sums[role][kind] as number) += totals[kind] as number
    }
  }
  for (const role of Object.keys(sums) as Role[])
    for (let kind = 0; kind < KINDS; kind++)
      sums[role][kind] = Math.max(1, (sums[role][kind] as number) / Math.max(1, counts[role]))
  return sums
}

/** What each feature says of a chunk: how often it is there, less in a long field, as a byte of `FULL_IMPACT`. */
export function impactsOf(
  fields: readonly TokenField[],
  averages: Averages,
): { features: Uint32Array; impacts: Uint8Array } {
  const [first, answer] = fields
  if (!first) return { features: new Uint32Array(0), impacts: new Uint8Array(0) }
  const values = valuesOf(first, averages[answer ? 'question' : 'passage'], 1)
  if (answer)
    for (const [feature, value] of valuesOf(answer, averages.answer, ANSWER))
      values.set(feature, (values.get(feature) ?? 0) + value)
  return {
    features: Uint32Array.from(values.keys()),
    impacts: Uint8Array.from(values.values(), (value) => Math.max(1, Math.round((value * 255) / FULL_IMPACT))),
  }
}

function valuesOf({ totals, hashes, counts }: TokenField, averages: readonly number[], share: number) {
  const values = new Map<number, number>()
  for (let kind = 0; kind < KINDS; kind++) {
    const norm = K1 * (1 - B + (B * (totals[kind] as number)) / (averages[kind] as number))
    const list = hashes[kind] as Uint32Array
    for (let at = 0; at < list.length; at++) {
      const count = counts[kind]?.[at] as number
      values.set(list[at] as number, (share * count * (K1 + 1)) / (count + norm))
    }
  }
  return values
}

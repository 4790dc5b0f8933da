import { KINDS } from './features'
import { readTotals, type TokenField } from './tokens'

const K1 = 0.8
const B = 0.8
/** The weight of an FAQ's answer relative to its question. */
const ANSWER = 0.3
/** The greater, the less it counts that several phrasings share a feature: with 1 they would add up. */
const AGREEMENT = 6
/** The greatest impact of a feature on a chunk. */
export const FULL_IMPACT = (K1 + 1) * (1 + ANSWER)

/** Average field lengths by kind of feature: of passages, of FAQ questions, and of FAQ answers. */
export type Averages = Record<Role, [number, number, number, number]>
type Role = 'passage' | 'question' | 'answer'

const rolesOf = (fields: number): readonly Role[] => (fields > 1 ? ['question', 'answer'] : ['passage'])

/** @param heads beginnings of records, or whole ones */
export function averagesOf(heads: Iterable<Buffer>): Averages {
  const sums: Averages = { passage: [0, 0, 0, 0], question: [0, 0, 0, 0], answer: [0, 0, 0, 0] }
  const counts = { passage: 0, question: 0, answer: 0 }
  for (const head of heads) {
    const rows = readTotals(head)
    const roles = rolesOf(rows.length)
    for (const [at, { totals, fields }] of rows.entries()) {
      const role = roles[at] as Role
      counts[role] += fields
      for (let kind = 0; kind < KINDS; kind++) (sums[role][kind] as number) += totals[kind] as number
    }
  }
  for (const role of Object.keys(sums) as Role[])
    for (let kind = 0; kind < KINDS; kind++)
      sums[role][kind] = Math.max(1, (sums[role][kind] as number) / Math.max(1, counts[role]))
  return sums
}

/**
 * The impact of each feature on a chunk: its frequency, dampened by field length, as a byte relative to `FULL_IMPACT`.
 */
export function impactsOf(
  fields: readonly TokenField[],
  averages: Averages,
): { features: Uint32Array; impacts: Uint8Array } {
  const answer = fields.length > 1 ? fields.at(-1) : undefined
  const values = answer
    ? strongestOf(fields.slice(0, -1).map((field) => valuesOf(field, averages.question, 1)))
    : strongestOf(fields.map((field) => valuesOf(field, averages.passage, 1)))
  if (answer)
    for (const [feature, value] of valuesOf(answer, averages.answer, ANSWER))
      values.set(feature, (values.get(feature) ?? 0) + value)
  const byteOf = (value: number) => Math.min(255, Math.max(1, Math.round((value * 255) / FULL_IMPACT)))
  return { features: Uint32Array.from(values.keys()), impacts: Uint8Array.from(values.values(), byteOf) }
}

/** The phrasing with the strongest impact counts per feature, and a little that others have it too. */
function strongestOf(ways: readonly Map<number, number>[]): Map<number, number> {
  const [first = new Map<number, number>(), ...others] = ways
  if (others.length === 0) return first
  const sums = new Map<number, number>()
  for (const way of ways)
    for (const [feature, value] of way) sums.set(feature, (sums.get(feature) ?? 0) + value ** AGREEMENT)
  for (const [feature, sum] of sums) sums.set(feature, sum ** (1 / AGREEMENT))
  return sums
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

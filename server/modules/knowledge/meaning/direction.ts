import type { Vector } from './wordVectors'

/** Where the words of a text point together, as an arrow of length 1. */
export type Direction = Float32Array

/** The sum of words' directions by how much each tells; null: no word has one. */
export function directionOf(words: readonly (Vector | null)[]): Direction | null {
  const found = words.filter((word) => word !== null)
  const [first] = found
  if (!first) return null
  const sum = new Float32Array(first.codes.length)
  for (const { codes, length, telling } of found) {
    const weight = telling / length
    for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] as number) + weight * (codes[at] as number)
  }
  return scaled(sum)
}

/** The direction between some. */
export function between(directions: readonly (Direction | null)[]): Direction | null {
  const found = directions.filter((one) => one !== null)
  const [first, ...others] = found
  if (!first || others.length === 0) return first ?? null
  const sum = first.slice()
  for (const one of others) for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] as number) + (one[at] as number)
  return scaled(sum)
}

/** How much two point the same way, -1 to 1; 0 where one is unknown. */
export function alike(one: Direction | null, other: Direction | null): number {
  if (!one || !other) return 0
  let sum = 0
  for (let at = 0; at < one.length; at++) sum += (one[at] as number) * (other[at] as number)
  return sum
}

function scaled(sum: Float32Array): Direction | null {
  let square = 0
  for (let at = 0; at < sum.length; at++) square += (sum[at] as number) ** 2
  if (square === 0) return null
  const scale = 1 / Math.sqrt(square)
  for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] as number) * scale
  return sum
}

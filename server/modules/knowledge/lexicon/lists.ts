/** Lists of numbers by a number, looked up where they lie: as no entry is an object, 10^5 of them cost no start. */
export interface Lists {
  /** @returns undefined: there is none */
  get(key: number): Uint32Array | undefined
}

/** The beginning: form, and how many tables there are. Of each follows how many keys and numbers it has. */
const HEAD = 2
const FORM = 0x31545350

/**
 * Tables of lists as bytes: each one's keys, ascending; where their lists begin, and the last one ends; their numbers.
 * All are of 32 bits, in the order of this machine's bytes.
 */
export function packLists(tables: readonly ReadonlyMap<number, readonly number[]>[]): Uint8Array {
  const words = [FORM, tables.length]
  for (const table of tables) words.push(table.size, sum([...table.values()].map(({ length }) => length)))
  for (const table of tables) {
    const entries = [...table].sort(([one], [other]) => one - other)
    for (const [key] of entries) words.push(key)
    let start = 0
    for (const [, { length }] of entries) {
      words.push(start)
      start += length
    }
    words.push(start)
    for (const [, numbers] of entries) for (const number of numbers) words.push(number)
  }
  return new Uint8Array(Uint32Array.from(words).buffer)
}

/** Reads `packLists`. @throws if it is something else, or cut off */
export function readLists(file: Uint8Array): Lists[] {
  // numbers begin where four divides the place
  const { buffer, byteOffset } = file.byteOffset % 4 === 0 ? file : new Uint8Array(file)
  const words = new Uint32Array(buffer, byteOffset, Math.floor(file.length / 4))
  const [form, count = 0] = words
  const sizes = Array.from({ length: Math.min(count, words.length) }, (_, at) => ({
    keys: words[HEAD + 2 * at] ?? 0,
    numbers: words[HEAD + 2 * at + 1] ?? 0,
  }))
  const whole = HEAD + sum(sizes.map(({ keys, numbers }) => 2 + keys * 2 + 1 + numbers))
  if (form !== FORM || whole * 4 !== file.length) throw new Error('These are no lists of numbers.')
  let at = HEAD + 2 * count
  const next = (length: number) => {
    at += length
    return words.subarray(at - length, at)
  }
  return sizes.map(({ keys, numbers }) => listsIn(next(keys), next(keys + 1), next(numbers)))
}

const listsIn = (keys: Uint32Array, starts: Uint32Array, numbers: Uint32Array): Lists => ({
  get(key) {
    let low = 0
    let high = keys.length - 1
    while (low <= high) {
      const middle = (low + high) >>> 1
      const found = keys[middle] as number
      if (found === key) return numbers.subarray(starts[middle], starts[middle + 1])
      if (found < key) low = middle + 1
      else high = middle - 1
    }
    return undefined
  },
})

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

// Which words stand near which, as a sparse matrix of positive pointwise mutual information.
import { BREAK } from './corpus.mjs'

/** Words to each side. */
const WINDOW = 8
/** Words more frequent than this share of all are left out of windows now and then, so that these reach farther. */
const FREQUENT = 3e-4
/** How far the frequencies of neighbours are evened out. */
const EVEN = 0.75
const LEAST = 1.01

/**
 * @param files texts as numbers @param {Int32Array} rowOf the row of each number; -1: it has none
 * @param {Float64Array} counts of numbers @param {number} size rows
 * @returns {{ size: number, starts: Uint32Array, columns: Uint32Array, values: Float32Array }} symmetric, by rows
 */
export function nearbyMatrix(files, rowOf, counts, size, random) {
  const table = new Pairs()
  const all = counts.reduce((sum, count) => sum + count, 0)
  const kept = Float64Array.from(counts, (count) => Math.min(1, Math.sqrt((FREQUENT * all) / Math.max(1, count))))
  const rows = new Int32Array(WINDOW)
  for (const { tokens, weight } of files) {
    let length = 0
    for (const token of tokens) {
      if (token === BREAK) {
        length = 0
        continue
      }
      const row = rowOf[token]
      if (row < 0 || (kept[token] < 1 && random() > kept[token])) continue
      const from = Math.max(0, length - WINDOW)
      for (let at = from; at < length; at++) {
        const other = rows[at % WINDOW]
        if (other !== row) table.add(Math.min(row, other), Math.max(row, other), weight / (1 + (length - 1 - at) / 4))
      }
      rows[length % WINDOW] = row
      length++
    }
  }
  return informationOf(table, size)
}

function informationOf(table, size) {
  const sums = new Float64Array(size)
  table.each((row, column, value) => {
    sums[row] += value
    sums[column] += value
  })
  const evened = sums.map((sum) => sum ** EVEN)
  const allEvened = evened.reduce((sum, value) => sum + value, 0)
  // the mean of both directions, so that the matrix stays symmetric
  const value = (row, column, count) => {
    const here = Math.log((count * allEvened) / (sums[row] * evened[column]))
    const there = Math.log((count * allEvened) / (sums[column] * evened[row]))
    return Math.max(0, (here + there) / 2)
  }
  const lengths = new Uint32Array(size + 1)
  table.each((row, column, count) => {
    if (count < LEAST || value(row, column, count) <= 0) return
    lengths[row + 1]++
    lengths[column + 1]++
  })
  const starts = lengths
  for (let row = 0; row < size; row++) starts[row + 1] += starts[row]
  const next = starts.slice()
  const columns = new Uint32Array(starts[size])
  const values = new Float32Array(starts[size])
  table.each((row, column, count) => {
    const information = count < LEAST ? 0 : value(row, column, count)
    if (information <= 0) return
    columns[next[row]] = column
    values[next[row]++] = information
    columns[next[column]] = row
    values[next[column]++] = information
  })
  return { size, starts, columns, values }
}

/** Sums of pairs of numbers, in an open table. */
class Pairs {
  #bits = 20
  #firsts = new Uint32Array(1 << 20).fill(EMPTY)
  #seconds = new Uint32Array(1 << 20)
  #sums = new Float32Array(1 << 20)
  #count = 0

  add(first, second, value) {
    const at = this.#placeOf(first, second)
    if (this.#firsts[at] !== EMPTY) {
      this.#sums[at] += value
      return
    }
    this.#firsts[at] = first
    this.#seconds[at] = second
    this.#sums[at] = value
    if (++this.#count > 0.7 * this.#firsts.length) this.#grow()
  }

  each(take) {
    for (let at = 0; at < this.#firsts.length; at++)
      if (this.#firsts[at] !== EMPTY) take(this.#firsts[at], this.#seconds[at], this.#sums[at])
  }

  #placeOf(first, second) {
    const mask = this.#firsts.length - 1
    let mixed = Math.imul(first ^ Math.imul(second, 0x9e3779b1), 0x85ebca6b)
    mixed ^= mixed >>> 15
    let at = Math.imul(mixed, 0xc2b2ae35) >>> (32 - this.#bits)
    while (this.#firsts[at] !== EMPTY && (this.#firsts[at] !== first || this.#seconds[at] !== second))
      at = (at + 1) & mask
    return at
  }

  #grow() {
    const [firsts, seconds, sums] = [this.#firsts, this.#seconds, this.#sums]
    this.#bits++
    this.#firsts = new Uint32Array(1 << this.#bits).fill(EMPTY)
    this.#seconds = new Uint32Array(1 << this.#bits)
    this.#sums = new Float32Array(1 << this.#bits)
    for (let at = 0; at < firsts.length; at++) {
      if (firsts[at] === EMPTY) continue
      const to = this.#placeOf(firsts[at], seconds[at])
      this.#firsts[to] = firsts[at]
      this.#seconds[to] = seconds[at]
      this.#sums[to] = sums[at]
    }
  }
}

const EMPTY = 0xffffffff

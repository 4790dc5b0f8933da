// Reads a folder of texts (`<language>/*.txt.xz`, a paragraph a line) as numbers of stems.
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** Between two paragraphs. */
export const BREAK = -1
/** Texts count in full up to so many words; of a longer one, with its patterns, each word counts less. */
const FULL = 500_000
const LONGEST_WORD = 40

/**
 * The texts of a language.
 * @param {string} folder
 * @param {(text: string) => string[]} wordsOf the words of a text
 * @param {(word: string) => string | null} stemOf of a word; null: it is left out
 * @returns {Promise<{
 *   stems: string[], counts: Float64Array,
 *   files: { tokens: Int32Array, weight: number }[], spellings: Map<string, number>
 * }>} `counts`: how often each stem stands, in `files` by its number; `spellings`: how often each word stands as it is
 *   written
 */
export async function readTexts(folder, wordsOf, stemOf) {
  const numbers = new Map()
  /** of each spelling; -2: it is left out */
  const known = new Map()
  const spellings = new Map()
  const stems = []
  const files = []
  const numberOf = (word) => {
    const stem = word.length > LONGEST_WORD ? null : stemOf(word)
    if (stem === null) return -2
    const number = numbers.get(stem)
    if (number !== undefined) return number
    numbers.set(stem, stems.length)
    return stems.push(stem) - 1
  }
  for (const name of readdirSync(folder).sort()) {
    if (!name.endsWith('.txt.xz')) continue
    const tokens = new Numbers()
    for await (const line of linesOf(join(folder, name))) {
      for (const word of wordsOf(line)) {
        let number = known.get(word)
        if (number === undefined) {
          number = numberOf(word)
          known.set(word, number)
        }
        if (number >= 0) tokens.push(number)
        spellings.set(word, (spellings.get(word) ?? 0) + 1)
      }
      tokens.push(BREAK)
    }
    const list = tokens.take()
    files.push({ tokens: list, weight: list.length <= FULL ? 1 : Math.sqrt(FULL / list.length) })
  }
  const counts = new Float64Array(stems.length)
  for (const { tokens, weight } of files) for (const token of tokens) if (token >= 0) counts[token] += weight
  return { stems, counts, files, spellings }
}

/** The lines of a packed text, by the program `xz`. */
async function* linesOf(path) {
  const unpacking = spawn('xz', ['-dc', path], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise((resolve, reject) => {
    unpacking.on('error', reject)
    unpacking.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`xz could not read ${path}.`))))
  })
  ended.catch(() => {})
  yield* createInterface({ input: unpacking.stdout, crlfDelay: Number.POSITIVE_INFINITY })
  await ended
}

/** A list of whole numbers that grows. */
class Numbers {
  #list = new Int32Array(1 << 16)
  #length = 0

  push(number) {
    if (this.#length === this.#list.length) {
      const more = new Int32Array(this.#length * 2)
      more.set(this.#list)
      this.#list = more
    }
    this.#list[this.#length++] = number
  }

  take() {
    return this.#list.slice(0, this.#length)
  }
}

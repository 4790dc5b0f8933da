// The file that the server reads (server/modules/knowledge/meaning/wordVectors.ts says the format).

/** The distance of two of the sixteen levels of a number, in spreads of the numbers. */
const STEP = 0.335
/** Words that are this share of all tell half as much as rare ones. */
const FREQUENT = 1e-3
const HEAD = 16
/** Frequencies are a logarithm in a byte: of all words 1, a thousandth 136, a millionth 16. */
const FAR = 255

/**
 * @param {Map<string, number>} spellings words as they are written, with the share of all that each is in its language
 * @param {(word: string) => number} hashOf @returns {Buffer}
 */
export function wordVectorsFile({ stems, shares, vectors }, spellings, dimension, form, hashOf) {
  const kept = byHash(stems, hashOf)
  const written = byHash([...spellings.keys()], hashOf)
  const half = dimension / 2
  const file = Buffer.alloc(HEAD + kept.length * (5 + half) + written.length * 5)
  for (const [at, number] of [form, dimension, kept.length, written.length].entries())
    file.writeUInt32LE(number, at * 4)
  const step = STEP / Math.sqrt(dimension)
  const level = (value) => Math.min(15, Math.max(0, Math.round(value / step + 7.5)))
  const frequencies = [...spellings.values()]
  const tellings = HEAD + (kept.length + written.length) * 4
  for (const [at, { row, key }] of written.entries()) {
    file.writeUInt32LE(key, HEAD + (kept.length + at) * 4)
    file[tellings + kept.length + at] = Math.min(255, Math.max(1, Math.round(FAR + 12 * Math.log2(frequencies[row]))))
  }
  for (const [at, { row, key }] of kept.entries()) {
    file.writeUInt32LE(key, HEAD + at * 4)
    file[tellings + at] = Math.round((255 * FREQUENT) / (FREQUENT + shares[row]))
    const to = tellings + kept.length + written.length + at * half
    for (let place = 0; place < half; place++) {
      const from = row * dimension + 2 * place
      file[to + place] = level(vectors[from]) | (level(vectors[from + 1]) << 4)
    }
  }
  return file
}

/** Words by their numbers, ascending, without those that have another's. */
function byHash(words, hashOf) {
  const rows = words.map((word, row) => ({ row, key: hashOf(word) })).sort((a, b) => a.key - b.key || a.row - b.row)
  return rows.filter(({ key }, at) => key !== rows[at - 1]?.key)
}

// Words with their vectors as a file (pack.mjs).
import { packed } from './pack.mjs'

/** Words that are this share of all tell half as much as rare ones. */
const FREQUENT = 1e-3
/** Frequencies are a logarithm in a byte: of all words 1, a thousandth 136, a millionth 16. */
const FAR = 255

/**
 * @param {Map<string, number>} spellings words as they are written, with the share of all that each is in its language
 * @param {(word: string) => number} hashOf @returns {Buffer}
 */
export function wordVectorsFile({ stems, shares, vectors }, spellings, dimension, form, hashOf) {
  const kept = byHash(stems, hashOf)
  const written = byHash([...spellings.keys()], hashOf)
  const frequencies = [...spellings.values()]
  const rows = new Float32Array(kept.length * dimension)
  for (const [at, { row }] of kept.entries())
    rows.set(vectors.subarray(row * dimension, (row + 1) * dimension), at * dimension)
  return packed(
    {
      dimension,
      keys: Uint32Array.from(kept, ({ key }) => key),
      tellings: Uint8Array.from(kept, ({ row }) => Math.round((255 * FREQUENT) / (FREQUENT + shares[row]))),
      vectors: rows,
      spellings: Uint32Array.from(written, ({ key }) => key),
      frequencies: Uint8Array.from(written, ({ row }) =>
        Math.min(255, Math.max(1, Math.round(FAR + 12 * Math.log2(frequencies[row])))),
      ),
    },
    form,
  )
}

/** Words by their numbers, ascending, without those that have another's. */
function byHash(words, hashOf) {
  const rows = words.map((word, row) => ({ row, key: hashOf(word) })).sort((a, b) => a.key - b.key || a.row - b.row)
  return rows.filter(({ key }, at) => key !== rows[at - 1]?.key)
}

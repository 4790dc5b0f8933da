// The file that the server reads (server/modules/knowledge/meaning/wordVectors.ts says the format).

/** The distance of two of the sixteen levels of a number, in spreads of the numbers. */
const STEP = 0.335
const HEAD = 16

/**
 * @param {{
 *   dimension: number, keys: Uint32Array, tellings: Uint8Array, vectors: Float32Array,
 *   spellings: Uint32Array, frequencies: Uint8Array
 * }} words keys and spellings ascending; vectors row after row, each of length 1
 * @param {number} form @returns {Buffer}
 */
export function packed({ dimension, keys, tellings, vectors, spellings, frequencies }, form) {
  const half = dimension / 2
  const head = Uint32Array.of(form, dimension, keys.length, spellings.length)
  const step = STEP / Math.sqrt(dimension)
  const level = (value) => Math.min(15, Math.max(0, Math.round(value / step + 7.5)))
  const codes = new Uint8Array(keys.length * half)
  for (let at = 0; at < codes.length; at++) codes[at] = level(vectors[2 * at]) | (level(vectors[2 * at + 1]) << 4)
  return Buffer.concat([
    ...[head, keys, spellings].map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)),
    ...[tellings, frequencies, codes],
  ])
}

/** The opposite, with the numbers that half a byte leaves. @param {Buffer} file */
export function unpacked(file) {
  const bytes = Uint8Array.from(file)
  const [, dimension, size, written] = new Uint32Array(bytes.buffer, 0, HEAD / 4)
  const tellings = HEAD + (size + written) * 4
  const codes = bytes.subarray(tellings + size + written)
  const vectors = new Float32Array(size * dimension)
  for (let at = 0; at < codes.length; at++) {
    vectors[2 * at] = 2 * (codes[at] & 15) - 15
    vectors[2 * at + 1] = 2 * (codes[at] >> 4) - 15
  }
  for (let row = 0; row < size; row++) {
    const own = vectors.subarray(row * dimension, (row + 1) * dimension)
    const length = Math.sqrt(own.reduce((sum, value) => sum + value * value, 0)) || 1
    for (let at = 0; at < dimension; at++) own[at] /= length
  }
  return {
    dimension,
    keys: new Uint32Array(bytes.buffer, HEAD, size),
    tellings: bytes.subarray(tellings, tellings + size),
    vectors,
    spellings: new Uint32Array(bytes.buffer, HEAD + size * 4, written),
    frequencies: bytes.subarray(tellings + size, tellings + size + written),
  }
}

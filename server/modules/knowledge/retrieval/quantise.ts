/** bytes before a stored vector's components: their scale, as a float */
export const HEAD = 4

/** A vector with one byte per component, and the scale. */
export function quantised(vector: Float32Array): { scale: number; codes: Int8Array } {
  const most = vector.reduce((max, value) => Math.max(max, Math.abs(value)), 0)
  const scale = most / 127
  return { scale, codes: Int8Array.from(vector, (value) => (scale === 0 ? 0 : Math.round(value / scale))) }
}

/** The form in `knowledge_chunks.embedding`. */
export function storedVector(vector: Float32Array): Buffer {
  const { scale, codes } = quantised(vector)
  const stored = Buffer.alloc(HEAD + codes.length)
  stored.writeFloatLE(scale, 0)
  stored.set(new Uint8Array(codes.buffer), HEAD)
  return stored
}

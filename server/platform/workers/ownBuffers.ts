/**
 * The buffers in a value that are exactly one byte array each: these can be transferred to another thread, parts of
 * larger ones are copied.
 */
export function ownBuffers(value: unknown, found = new Set<ArrayBuffer>()): ArrayBuffer[] {
  if (value instanceof Uint8Array) {
    const { buffer, byteLength } = value
    if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) found.add(buffer)
  } else if (value !== null && typeof value === 'object') {
    for (const part of Object.values(value)) ownBuffers(part, found)
  }
  return [...found]
}

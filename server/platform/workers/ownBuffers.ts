/** The buffers of bytes in a value that are these bytes alone: they can be given to another thread, where a part of a larger one is copied. */
export function ownBuffers(value: unknown, found = new Set<ArrayBuffer>()): ArrayBuffer[] {
  if (value instanceof Uint8Array) {
    const { buffer, byteLength } = value
    if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) found.add(buffer)
  } else if (value !== null && typeof value === 'object') {
    for (const part of Object.values(value)) ownBuffers(part, found)
  }
  return [...found]
}

/** A file's text and the encoding that it is in. */
export interface Decoded {
  text: string
  encoding: 'UTF-8' | 'UTF-16' | 'Windows-1252'
}

/**
 * Decodes a text file: by its byte order mark; UTF-16 without one by its zero bytes; else UTF-8 if it is valid, else
 * the Western encoding of spreadsheets on Windows, which includes Latin-1.
 */
export function decodeText(bytes: Uint8Array): Decoded {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return utf16('utf-16le', bytes)
  if (first === 0xfe && second === 0xff) return utf16('utf-16be', bytes)
  const zero = zeroBytes(bytes)
  if (zero.odd > zero.all * 0.9 && zero.all > 0) return utf16('utf-16le', bytes)
  if (zero.odd < zero.all * 0.1) return utf16('utf-16be', bytes)
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'UTF-8' }
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'Windows-1252' }
  }
}

const utf16 = (name: 'utf-16le' | 'utf-16be', bytes: Uint8Array): Decoded => ({
  text: new TextDecoder(name).decode(bytes),
  encoding: 'UTF-16',
})

/** How many of the first bytes are zero, and how many of those stand at odd places. */
function zeroBytes(bytes: Uint8Array): { all: number; odd: number } {
  const head = bytes.subarray(0, 4_096)
  let all = 0
  let odd = 0
  for (const [at, byte] of head.entries()) {
    if (byte !== 0) continue
    all++
    odd += at % 2
  }
  return { all, odd }
}

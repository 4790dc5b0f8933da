import { pipeline, type Readable, type Transform } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { OutboundError } from './errors'

/** More layers of compression are considered an attack. */
const MOST_ENCODINGS = 2

/**
 * Reads a body to its end or to `max` bytes after decompression, since a few compressed bytes may expand to gigabytes.
 * The stream is ended either way. @throws OutboundError bad_encoding, and the stream's errors
 */
export async function readBody(
  body: Readable,
  encoding: string | undefined,
  max: number,
): Promise<{ bytes: Uint8Array; cut: boolean }> {
  const unpackers = unpackersOf(encoding)
  const source = unpackers.reduce<Readable>((from, to) => pipeline(from, to, () => undefined), body)
  source.on('error', () => undefined)
  const chunks: Buffer[] = []
  let left = max
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      chunks.push(chunk.subarray(0, left))
      left -= chunk.length
      if (left < 0) break
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (unpackers.length > 0 && /^(Z_|ERR_.*BROTLI|ERR__ERROR|ERR_PADDING|ERR__)/.test(code))
      throw new OutboundError('bad_encoding', encoding, { cause: error })
    throw error
  } finally {
    body.destroy()
  }
  return { bytes: Buffer.concat(chunks), cut: left < 0 }
}

function unpackersOf(encoding = ''): Transform[] {
  const names = encoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity')
  if (names.length > MOST_ENCODINGS) throw new OutboundError('bad_encoding', encoding)
  return names.reverse().map((name) => {
    const make = makers[name]
    if (!make) throw new OutboundError('bad_encoding', encoding)
    return make()
  })
}

/** Tolerates a missing end, as browsers do; HEAD and 304 have no body at all. */
const flush = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH }
const makers: Record<string, (() => Transform) | undefined> = {
  gzip: () => createGunzip(flush),
  'x-gzip': () => createGunzip(flush),
  deflate: () => createInflate(flush),
  br: () =>
    createBrotliDecompress({
      flush: constants.BROTLI_OPERATION_FLUSH,
      finishFlush: constants.BROTLI_OPERATION_FLUSH,
    }),
}

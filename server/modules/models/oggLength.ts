const PAGE = Buffer.from('OggS')
/** Bytes of a page before its table of segments, and where its position stands (RFC 3533, section 6). */
const HEADER = 27
const POSITION = 6
/** A page on which no packet ends says so. */
const NO_POSITION = 0xffff_ffff_ffff_ffffn
/** Positions a second of Opus in Ogg, whatever it was recorded with (RFC 7845, section 4). */
const A_SECOND = 48_000

/**
 * How many seconds a voice message in Ogg and Opus has, by the position of its last page.
 * @returns null for what is something else, or does not say. The sender wrote it: it may be wrong
 */
export function oggLength(bytes: Uint8Array): number | null {
  const sound = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (!sound.subarray(0, 4).equals(PAGE) || !sound.subarray(0, 200).includes('OpusHead')) return null
  let at = sound.lastIndexOf(PAGE)
  // a few may be cut or say nothing
  for (let tries = 0; at >= 0 && tries < 8; tries++, at = at > 0 ? sound.lastIndexOf(PAGE, at - 1) : -1) {
    if (at + HEADER > sound.length) continue
    const position = sound.readBigUInt64LE(at + POSITION)
    if (position !== NO_POSITION) return Number(position) / A_SECOND
  }
  return null
}

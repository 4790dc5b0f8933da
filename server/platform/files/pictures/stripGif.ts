const EXTENSION = 0x21
const IMAGE = 0x2c
const END = 0x3b
const CONTROL = 0xf9
const APPLICATION = 0xff
/** The applications whose blocks say how often a GIF repeats; others hold colour profiles and descriptions (XMP). */
const LOOPS = ['NETSCAPE2.0', 'ANIMEXTS1.0']

/**
 * A GIF with its frames alone, byte for byte: without comments, texts, descriptions and what follows its end (GIF89a,
 * appendix A). To write frames anew costs seconds and colours, and they hold nothing but colours.
 * @throws Error if it ends early or is none
 */
export function stripGif(bytes: Uint8Array): Buffer {
  const at = (place: number): number => {
    const byte = bytes[place]
    if (byte === undefined) throw new Error('The GIF ends early')
    return byte
  }
  /** The length of a table of colours whose flags are at a place. */
  const tableAt = (place: number) => (at(place) & 0x80 ? 3 * 2 ** ((at(place) & 7) + 1) : 0)
  /** Where blocks of data end that begin at a place. */
  const afterData = (place: number) => {
    let next = place
    while (at(next) > 0) next += at(next) + 1
    return next + 1
  }
  const beginning = 13 + tableAt(10)
  const kept = [bytes.subarray(0, beginning)]
  for (let place = beginning; at(place) !== END; ) {
    const kind = at(place)
    if (kind !== IMAGE && kind !== EXTENSION) throw new Error(`The GIF has a block ${kind}`)
    const end = afterData(kind === IMAGE ? place + 11 + tableAt(place + 9) : place + 2)
    if (kind === IMAGE || isOfFrames(bytes, place)) kept.push(bytes.subarray(place, end))
    place = end
  }
  return Buffer.concat([...kept, Uint8Array.of(END)])
}

function isOfFrames(bytes: Uint8Array, place: number): boolean {
  if (bytes[place + 1] === CONTROL) return true
  const application = String.fromCharCode(...bytes.subarray(place + 3, place + 14))
  return bytes[place + 1] === APPLICATION && LOOPS.includes(application)
}

/** Markers of a frame's beginning (SOF0 to SOF15), without those of tables between them (DHT, JPG, DAC). */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
const START_OF_IMAGE = 0xffd8
const FILL = 0xff
/** The picture's data, and its end: the frame has to come before. */
const LATEST = [0xda, 0xd9]

/**
 * Width and height of a JPEG by the header of its frame (ITU-T T.81, B.2.2), without decoding it: a few bytes can say
 * that a picture takes a gigabyte. Null: these bytes are no JPEG that says so.
 */
export function jpegSize(bytes: Uint8Array): { width: number; height: number } | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < 2 || view.getUint16(0) !== START_OF_IMAGE) return null
  for (let at = 2; at + 9 <= bytes.length; ) {
    if (view.getUint8(at) !== FILL) return null
    const marker = view.getUint8(at + 1)
    if (LATEST.includes(marker)) return null
    if (isFrame(marker)) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) }
    at += marker === FILL ? 1 : 2 + view.getUint16(at + 2)
  }
  return null
}

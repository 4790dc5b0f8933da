import { randomBytes } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'

type Format = 'png' | 'jpeg' | 'gif' | 'webp' | 'avif'

/** A picture of one colour, made for real. @param colour pictures of one colour and size are the same bytes */
export const picture = (
  format: Format = 'png',
  { width = 16, height = 16, colour = 0 }: { width?: number; height?: number; colour?: number } = {},
): Promise<Buffer> => {
  const [r, g, b] = [colour & 255, (colour >> 8) & 255, (colour >> 16) & 255]
  return sharp({ create: { width, height, channels: 3, background: { r, g, b } } })
    .toFormat(format)
    .toBuffer()
}

/** One that takes three bytes a pixel, however it is packed. */
export const noise = (width: number, height: number): Promise<Buffer> =>
  sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer()

/** The same picture with so many bytes in all: readers ignore what follows its end. */
export const padded = (bytes: Buffer, length: number): Buffer =>
  Buffer.concat([bytes, Buffer.alloc(Math.max(0, length - bytes.length), 1)])

/** As a phone takes it: lying on its side, with the place where it was taken, and words of an editor. */
export const photo = (format: Format, { width = 40, height = 20, orientation = 6 } = {}): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#c04020' } })
    .toFormat(format)
    .withExif({
      IFD0: { Make: 'Secret Camera', Copyright: 'Ada Secret' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1', GPSLongitudeRef: 'W', GPSLongitude: '0/1 7/1 39/1' },
    })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><secret/></x:xmpmeta>')
    .withMetadata({ orientation })
    .toBuffer()

/** Several frames one after the other. */
export async function frames(format: 'gif' | 'webp', count: number, side = 20): Promise<Buffer> {
  const each = Array.from({ length: count }, (_, n) => picture('png', { width: side, height: side, colour: n * 40 }))
  return sharp(await Promise.all(each), { join: { animated: true } })
    .toFormat(format, { loop: 3, delay: each.map(() => 100) })
    .toBuffer()
}

/** Black in one bit a pixel: a few kilobytes that say they are many millions of pixels. */
export function bomb(side: number): Buffer {
  const header = Buffer.from('000000000000000001000000 00'.replace(' ', ''), 'hex')
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  const rows = deflateSync(Buffer.alloc(side * (1 + Math.ceil(side / 8))))
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc(named))
  return Buffer.concat([length, named, check])
}

/** The check of PNG's chunks (ISO 15948, annex D). */
function crc(bytes: Buffer): number {
  let sum = 0xffffffff
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0)
  }
  return (sum ^ 0xffffffff) >>> 0
}

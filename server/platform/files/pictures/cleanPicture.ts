import { readFile } from 'node:fs/promises'
import type { Sharp } from 'sharp'
import { mediaTypes } from '../../../../engine/values/mediaFile'
import { ApiError } from '../../errors'
import { stripGif } from './stripGif'

export type PictureType = (typeof mediaTypes.image)[number]
export const isPicture = (type: string): type is PictureType => (mediaTypes.image as readonly string[]).includes(type)

/** The longest side of a stored picture, in pixels: what a large screen shows. */
export const PICTURE_SIDE = 2_560
/** Of one that is shown as a small circle. */
export const AVATAR_SIDE = 512
/** Most pixels of a picture, all frames together: 256 MB while it is turned. Phones take up to 50 million. */
export const MOST_PIXELS = 64_000_000
/** In seconds; the library looks at it between lines. */
const PATIENCE = 20
/** Pictures that may wait, each in a file: one is worked on at a time. */
const MOST_WAITING = 30

/**
 * A picture without what cameras and programs write into it (place, time, device, preview), upright, and no larger than
 * it is shown. It is decoded and written anew, so that nothing passes that we don't know; frames of a GIF stay as they
 * are (README.md).
 * @param from its path, or its bytes
 * @throws ApiError `invalid` for one that is damaged or not of that type, `too_large` for too many pixels, `overloaded`
 */
export function cleanPicture(from: string | Uint8Array, type: PictureType, side = PICTURE_SIDE): Promise<Buffer> {
  if (waiting >= MOST_WAITING) throw new ApiError('overloaded')
  waiting++
  const mine = last.then(() => writeAnew(from, type, side))
  last = mine.catch(() => {}).finally(() => waiting--)
  return mine
}
let last: Promise<unknown> = Promise.resolve()
let waiting = 0

/** Loaded with the first picture: it takes a tenth of a second, which a start does not have. */
async function loadSharp() {
  const { default: sharp } = await import('sharp')
  // one thread of the four that also read files and look up names; what was decoded is not needed again
  sharp.concurrency(1)
  sharp.cache(false)
  // of the formats that the library reads only those that we accept: fewer parsers for strangers' bytes
  sharp.block({ operation: ['VipsForeignLoad'] })
  const formats = ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif']
  sharp.unblock({ operation: formats.map((format) => `VipsForeignLoad${format}`) })
  return sharp
}
let loaded: ReturnType<typeof loadSharp> | undefined

async function writeAnew(from: string | Uint8Array, type: PictureType, side: number): Promise<Buffer> {
  loaded ??= loadSharp()
  const sharp = await loaded
  const picture = sharp(from, {
    animated: type === 'image/gif' || type === 'image/webp',
    // a picture that ends early is refused, one with small mistakes is not
    failOn: 'truncated',
    limitInputPixels: MOST_PIXELS,
  }).timeout({ seconds: PATIENCE })
  try {
    const { width, height, pageHeight = height, mediaType } = await picture.metadata()
    if (mediaType !== type) throw damaged()
    if (type === 'image/gif' && Math.max(width, pageHeight) <= side)
      return stripGif(typeof from === 'string' ? await readFile(from) : from)
    picture.autoOrient().resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    return await written[type](picture).toBuffer()
  } catch (error) {
    throw error instanceof ApiError ? error : refusal(error)
  }
}

/** Without a word about metadata the library writes none. */
const written: Record<PictureType, (picture: Sharp) => Sharp> = {
  'image/jpeg': (picture) => picture.jpeg({ quality: 88 }),
  'image/png': (picture) => picture.png(),
  'image/webp': (picture) => picture.webp({ quality: 88 }),
  // more effort takes ten times as long for half the bytes
  'image/avif': (picture) => picture.avif({ quality: 60, effort: 1 }),
  'image/gif': (picture) => picture.gif({ effort: 1 }),
}

/** The library has no codes, only messages. */
function refusal(cause: unknown): ApiError {
  const message = cause instanceof Error ? cause.message : ''
  if (message.includes('exceeds pixel limit')) {
    return new ApiError('too_large', {
      message: `This picture has more than ${MOST_PIXELS / 1_000_000} million pixels. Make it smaller, and upload it again.`,
      cause,
    })
  }
  if (message.startsWith('timeout')) {
    return new ApiError('too_large', {
      message: 'This picture takes too long to be read. Save it with fewer pixels or frames.',
      cause,
    })
  }
  return damaged(cause)
}

const damaged = (cause?: unknown) =>
  new ApiError('invalid', {
    message: 'This picture is damaged or incomplete. Open it in a program for pictures, save it anew and upload that.',
    cause,
  })

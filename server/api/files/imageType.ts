import type { ImageType } from '../../../engine/values/imageFile'

/** How many bytes of a file's beginning it takes to tell its type. */
export const HEAD = 512

/**
 * What a file is, by its first bytes: its name and what the sender calls it prove nothing.
 * @returns the type of an image that is accepted, or else words for what it is
 */
export function recogniseImage(head: Uint8Array): { type: ImageType } | { found: string } {
  const text = String.fromCharCode(...head.subarray(0, HEAD))
  const type = accepted.find(([, is]) => is(text))?.[0]
  if (type) return { type }
  return { found: refused.find(([, is]) => is(text))?.[0] ?? 'of another type' }
}

/** The brands that a file of the MP4 family says it can be read as. */
const brandsOf = (text: string): string[] =>
  text.startsWith('ftyp', 4) ? (text.slice(8, text.charCodeAt(3) + text.charCodeAt(2) * 256).match(/.{4}/gs) ?? []) : []
const begins = (text: string, ...signatures: string[]) => signatures.some((signature) => text.startsWith(signature))

const accepted: readonly [ImageType, (text: string) => boolean][] = [
  ['image/png', (text) => begins(text, '\x89PNG\r\n\x1a\n')],
  ['image/jpeg', (text) => begins(text, '\xff\xd8\xff')],
  ['image/gif', (text) => begins(text, 'GIF87a', 'GIF89a')],
  ['image/webp', (text) => begins(text, 'RIFF') && text.startsWith('WEBPVP8', 8)],
  ['image/avif', (text) => brandsOf(text).some((brand) => brand === 'avif' || brand === 'avis')],
]

/** What people take for an image, or what would run as a page. */
const refused: readonly [string, (text: string) => boolean][] = [
  ['empty', (text) => text === ''],
  ['an SVG drawing', (text) => /<svg[\s>]/i.test(text)],
  ['a web page (HTML)', (text) => /<(?:!doctype html|html|head|body|script)[\s>]/i.test(text)],
  ['a PDF', (text) => begins(text, '%PDF-')],
  ['a BMP image', (text) => begins(text, 'BM')],
  ['a TIFF image', (text) => begins(text, 'II*\0', 'MM\0*')],
  ['an icon (ICO)', (text) => begins(text, '\0\0\x01\0')],
  ['a HEIC image', (text) => brandsOf(text).some((brand) => /^(?:hei|hev|mif1)/.test(brand))],
  ['a video', (text) => brandsOf(text).length > 0 || begins(text, '\x1aE\xdf\xa3')],
  ['an archive (ZIP)', (text) => begins(text, 'PK')],
]

import { type MediaType, type Medium, media, mediaTypes } from '../../../engine/values/mediaFile'

/** How many of a file's first bytes its type is recognised by. */
export const HEAD = 512

/**
 * What a file is, by its first bytes: its name and what the sender calls it prove nothing.
 * @returns the type of a file that the medium accepts, or else words for what it is
 */
export function recogniseMedia(head: Uint8Array, medium: Medium): { type: MediaType } | { found: string } {
  const text = String.fromCharCode(...head.subarray(0, HEAD))
  const types: readonly string[] = mediaTypes[medium]
  const type = accepted.find(([candidate, is]) => types.includes(candidate) && is(text))?.[0]
  if (type) return { type }
  return { found: refused.find(([, is]) => is(text))?.[0] ?? 'of another type' }
}

/** The brands that a file of the MP4 family says it can be read as. */
const brandsOf = (text: string): string[] =>
  text.startsWith('ftyp', 4) ? (text.slice(8, text.charCodeAt(3) + text.charCodeAt(2) * 256).match(/.{4}/gs) ?? []) : []
const begins = (text: string, ...signatures: string[]) => signatures.some((signature) => text.startsWith(signature))

/**
 * Films of the MP4 family that browsers play: neither a picture, nor QuickTime's own, nor (by its first brand) a sound.
 */
const isMp4 = (text: string) =>
  brandsOf(text).some((brand) => /^(?:isom|iso\d|mp4\d|avc1|M4V |dash|3gp\d)/.test(brand)) &&
  !brandsOf(text).some((brand) => /^(?:avif|avis|hei|hev|mif1)/.test(brand)) &&
  !/^(?:qt {2}|M4[AB] )/.test(brandsOf(text)[0] ?? '')
const isPdf = (text: string) => begins(text, '%PDF-')
const isM4a = (text: string) => brandsOf(text).some((brand) => /^M4[AB] $/.test(brand))
/** Ogg holds either: the first page names the codec, and a film begins with its picture. */
const isOgg = (text: string) => begins(text, 'OggS')
const isFilm = (text: string) => text.includes('\x80theora') || text.includes('OVP80')
/** Eleven set bits, then a version and a layer that exist: sound of MPEG without a title in front. */
const isMpegAudio = (text: string) => /^\xff[\xf2\xf3\xfa\xfb]/.test(text)

const accepted: readonly [MediaType, (text: string) => boolean][] = [
  ['image/png', (text) => begins(text, '\x89PNG\r\n\x1a\n')],
  ['image/jpeg', (text) => begins(text, '\xff\xd8\xff')],
  ['image/gif', (text) => begins(text, 'GIF87a', 'GIF89a')],
  ['image/webp', (text) => begins(text, 'RIFF') && text.startsWith('WEBPVP8', 8)],
  ['image/avif', (text) => brandsOf(text).some((brand) => brand === 'avif' || brand === 'avis')],
  ['video/mp4', isMp4],
  ['video/webm', (text) => begins(text, '\x1aE\xdf\xa3') && text.includes('webm')],
  ['video/ogg', (text) => isOgg(text) && isFilm(text)],
  ['audio/mpeg', (text) => begins(text, 'ID3') || isMpegAudio(text)],
  ['audio/wav', (text) => begins(text, 'RIFF') && text.startsWith('WAVE', 8)],
  ['audio/ogg', (text) => isOgg(text) && !isFilm(text)],
  ['audio/mp4', isM4a],
  ['application/pdf', isPdf],
]

const words: Record<Medium, string> = { image: 'an image', video: 'a video', audio: 'a sound', document: 'a PDF' }
const wordsFor = (type: MediaType): string =>
  words[media.find((medium) => (mediaTypes[medium] as readonly string[]).includes(type)) ?? 'document']

/** What people take for it, or what would run as a page. */
const refused: readonly [string, (text: string) => boolean][] = [
  ['empty', (text) => text === ''],
  ['an SVG drawing', (text) => /<svg[\s>]/i.test(text)],
  ['a web page (HTML)', (text) => /<(?:!doctype html|html|head|body|script)[\s>]/i.test(text)],
  ['a PDF', isPdf],
  ['a BMP image', (text) => begins(text, 'BM')],
  ['a TIFF image', (text) => begins(text, 'II*\0', 'MM\0*')],
  ['an icon (ICO)', (text) => begins(text, '\0\0\x01\0')],
  ...accepted.map(([type, is]): [string, (text: string) => boolean] => [wordsFor(type), is]),
  ['a HEIC image', (text) => brandsOf(text).some((brand) => /^(?:hei|hev|mif1)/.test(brand))],
  ['an AVI video', (text) => begins(text, 'RIFF') && text.startsWith('AVI ', 8)],
  ['a QuickTime video', (text) => brandsOf(text)[0] === 'qt  '],
  ['a Matroska video', (text) => begins(text, '\x1aE\xdf\xa3') && text.includes('matroska')],
  ['a FLAC sound', (text) => begins(text, 'fLaC')],
  ['a video', (text) => brandsOf(text).length > 0],
  ['an archive (ZIP)', (text) => begins(text, 'PK')],
]

import { expect, test } from 'vitest'
import { media } from '../../../engine/values/mediaFile'
import { HEAD, recogniseMedia } from './mediaType'

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))
/** A file of the MP4 family with these brands. */
const mp4 = (...brands: string[]) => {
  const [first = '', ...others] = brands
  const box = `ftyp${first}\0\0\0\0${others.join('')}`
  return `\0\0\0${String.fromCharCode(box.length + 4)}${box}moov`
}

/** As what it is accepted, for each medium that takes it; else what is said of it. */
function told(text: string) {
  const of = media.map((medium) => recogniseMedia(bytes(text), medium))
  const types = of.flatMap((answer) => ('type' in answer ? [answer.type] : []))
  return types.length > 0 ? types : [...new Set(of.flatMap((answer) => ('found' in answer ? [answer.found] : [])))]
}

test.each([
  ['\x89PNG\r\n\x1a\n', 'image/png'],
  ['\xff\xd8\xff\xe0', 'image/jpeg'],
  ['GIF87a', 'image/gif'],
  ['GIF89a', 'image/gif'],
  ['RIFF\0\0\0\0WEBPVP8 ', 'image/webp'],
  [mp4('avif', 'mif1'), 'image/avif'],
  [mp4('mif1', 'avis'), 'image/avif'],
  [mp4('isom', 'iso2', 'mp41'), 'video/mp4'],
  [mp4('xxxx', 'avc1'), 'video/mp4'],
  [mp4('M4V '), 'video/mp4'],
  [mp4('dash'), 'video/mp4'],
  [mp4('3gp4'), 'video/mp4'],
  ['\x1aE\xdf\xa3....webm', 'video/webm'],
  ['OggS....\x80theora', 'video/ogg'],
  ['OggS....OVP80', 'video/ogg'],
  ['OggS....\x01vorbis', 'audio/ogg'],
  ['ID3\x03', 'audio/mpeg'],
  ['\xff\xfb\x90', 'audio/mpeg'],
  ['\xff\xf2\x90', 'audio/mpeg'],
  ['RIFF\0\0\0\0WAVEfmt ', 'audio/wav'],
  [mp4('M4A ', 'isom'), 'audio/mp4'],
  [mp4('xxxx', 'M4B '), 'audio/mp4'],
  ['%PDF-1.7', 'application/pdf'],
])('%j is %s, and nothing else', (text, type) => {
  expect(told(text)).toEqual([type])
  // not somewhere later
  expect(told(`x${text}`)).not.toEqual([type])
})

test.each([
  ['', 'empty'],
  ['<svg xmlns="x">', 'an SVG drawing'],
  ['<?xml version="1.0"?><SVG>', 'an SVG drawing'],
  ['<!DOCTYPE html>', 'a web page (HTML)'],
  ['\n<html lang="de">', 'a web page (HTML)'],
  ['<script>', 'a web page (HTML)'],
  ['BM\0\0', 'a BMP image'],
  ['II*\0', 'a TIFF image'],
  ['MM\0*', 'a TIFF image'],
  ['\0\0\x01\0', 'an icon (ICO)'],
  [mp4('heic', 'mif1'), 'a HEIC image'],
  [mp4('hevc'), 'a HEIC image'],
  ['RIFF\0\0\0\0AVI LIST', 'an AVI video'],
  [mp4('qt  '), 'a QuickTime video'],
  [mp4('qt  ', 'isom'), 'a QuickTime video'],
  ['\x1aE\xdf\xa3....matroska', 'a Matroska video'],
  ['fLaC', 'a FLAC sound'],
  [mp4('xxxx'), 'a video'],
  ['PK\x03\x04', 'an archive (ZIP)'],
  ['hello', 'of another type'],
  ['<svgx>', 'of another type'],
  ['\xff\xf8\x90', 'of another type'],
])('%j is refused everywhere as %s', (text, found) => {
  expect(told(text)).toEqual([found])
})

test('a sound with pictures of films among its brands is a sound if that comes first', () => {
  expect(told(mp4('M4A ', 'mp42', 'isom'))).toEqual(['audio/mp4'])
  expect(told(mp4('isom', 'M4A '))).toEqual(['video/mp4', 'audio/mp4'])
})

test('a picture with brands of films is none', () => {
  expect(told(mp4('isom', 'heic'))).toEqual(['a HEIC image'])
  expect(told(mp4('isom', 'avif'))).toEqual(['image/avif'])
})

test('of the MP4 family only the brands count, not what comes after them', () => {
  expect(told(`${mp4('xxxx')}isomavif`)).toEqual(['a video'])
  // more than 255 bytes of them
  const many = Array.from({ length: 62 }, () => 'xxxx')
  const box = `ftypxxxx\0\0\0\0${many.join('')}isom`
  const head = `\0\0${String.fromCharCode((box.length + 4) >> 8, (box.length + 4) & 255)}`
  expect(told(head + box)).toEqual(['video/mp4'])
})

test('who is asked for a picture and given a film is told so', () => {
  expect(recogniseMedia(bytes(mp4('isom')), 'image')).toEqual({ found: 'a video' })
  expect(recogniseMedia(bytes('GIF89a'), 'audio')).toEqual({ found: 'an image' })
  expect(recogniseMedia(bytes('ID3'), 'video')).toEqual({ found: 'a sound' })
})

test('a file is told by its first bytes', () => {
  const late = (at: number) => `OggS${'.'.repeat(at - 4)}OVP80`
  expect(told(late(HEAD - 5))).toEqual(['video/ogg'])
  expect(told(late(HEAD - 4))).toEqual(['audio/ogg'])
})

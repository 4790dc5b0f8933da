import { expect, test } from 'vitest'
import { decodeText } from './decodeText'

const latin = (text: string) => Buffer.from(text, 'latin1')
const page = (text: string, meta = '', lang = '') =>
  `<html${lang && ` lang="${lang}"`}><head>${meta}</head><p>${text}</p>`
const swap = (text: string) => Buffer.from(text, 'utf16le').swap16()

test.each<[name: string, bytes: Uint8Array, contentType: string, text: string]>([
  ['UTF-8, unsaid', Buffer.from('Grüße, 世界'), 'text/html', 'Grüße, 世界'],
  ['a mark wins over what is said', Buffer.from('\uFEFFGrüße'), 'text/html; charset=iso-8859-1', 'Grüße'],
  ['UTF-16 with a mark', Buffer.from('\uFEFFGrüße', 'utf16le'), 'text/html', 'Grüße'],
  [
    'UTF-16 without one',
    swap('<p>Grüße an alle, die dies lesen</p>'),
    'text/html',
    '<p>Grüße an alle, die dies lesen</p>',
  ],
  ['what the server says', latin('Grüße'), 'text/html; charset="ISO-8859-1"', 'Grüße'],
  ['what the page says', latin(page('Grüße', '<meta charset=windows-1252>')), 'text/html', 'Grüße'],
  [
    'the old way to say it',
    latin(page('Grüße', '<meta http-equiv="Content-Type" content="text/html; charset=latin1">')),
    '',
    'Grüße',
  ],
  ['UTF-8 that is said to be Latin-1', Buffer.from(page('Grüße')), 'text/html; charset=iso-8859-1', 'Grüße'],
  [
    'Latin-1 that is said to be UTF-8',
    latin(page('Grüße', '<meta charset="utf-8">')),
    'text/html; charset=utf-8',
    'Grüße',
  ],
  ['a charset that nobody knows', Buffer.from(page('Grüße')), 'text/html; charset=klingon-8', 'Grüße'],
  ['UTF-16 that it can not be', Buffer.from(page('Grüße', '<meta charset="utf-16">')), '', 'Grüße'],
  ['one slip in a long text of UTF-8', Buffer.concat([Buffer.from('ü'.repeat(40)), latin('ü')]), '', '\uFFFD'],
  ['a cut in a character', Buffer.from('Grüße, 世').subarray(0, -1), '', 'Grüße'],
  [
    'Russian, by its language',
    Buffer.concat([latin(page('', '', 'ru')), Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2])]),
    '',
    'Привет',
  ],
  [
    'Japanese, by its language',
    Buffer.concat([latin(page('', '', 'ja')), Buffer.from([0x93, 0xfa, 0x96, 0x7b])]),
    '',
    '日本',
  ],
  ['Japanese of 7 bits', Buffer.from('\x1b$BF|K\\\x1b(B', 'latin1'), 'text/html; charset=iso-2022-jp', '日本'],
  ['Chinese, as said', Buffer.from([0xc4, 0xe3, 0xba, 0xc3]), 'text/html; charset=gb2312', '你好'],
])('%s', (_, bytes, contentType, text) => {
  expect(decodeText(bytes, contentType)).toContain(text)
})

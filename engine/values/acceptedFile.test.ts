import { expect, test } from 'vitest'
import { type AcceptPreset, acceptPresets, acceptsFile } from './acceptedFile'

test.each<[AcceptPreset, string, string, boolean]>([
  ['any', 'a.exe', 'application/x-msdownload', true],
  ['any', '', '', true],
  ['images', 'a.png', 'image/png', true],
  ['images', 'a', 'IMAGE/PNG; x=y', true],
  ['images', 'a.png', 'text/html', false],
  ['images', 'a', 'imagery/png', false],
  ['pdf', 'A.PDF', '', true],
  ['pdf', 'a', 'application/pdf', true],
  ['pdf', 'a.pdf.exe', 'application/octet-stream', false],
  ['documents', 'a.docx', 'application/octet-stream', true],
  ['documents', 'docx', '', false],
  ['documents', 'a.html', 'text/html', false],
])('%s and a file %j of type %j: %j', (preset, name, type, expected) => {
  expect(acceptsFile(acceptPresets[preset], { name, type })).toBe(expected)
})

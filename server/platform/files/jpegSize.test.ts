import { expect, test } from 'vitest'
import { jpegSize } from './jpegSize'

/** The beginning of a JPEG: tables of some length, then the frame's header. */
function jpeg(width: number, height: number, { frame = 0xc0, tables = 2 } = {}) {
  const bytes = Buffer.alloc(2 + 2 + tables + 11)
  bytes.writeUInt16BE(0xffd8, 0)
  bytes.writeUInt16BE(0xffe0, 2)
  bytes.writeUInt16BE(tables, 4)
  const at = 4 + tables
  bytes.writeUInt16BE(0xff00 + frame, at)
  bytes.writeUInt16BE(9, at + 2)
  bytes.writeUInt16BE(height, at + 5)
  bytes.writeUInt16BE(width, at + 7)
  return bytes
}

test('the size is that of the frame, baseline or progressive, behind tables of any length', () => {
  expect(jpegSize(jpeg(256, 128))).toEqual({ width: 256, height: 128 })
  expect(jpegSize(jpeg(20_000, 30_000, { frame: 0xc2, tables: 40_000 }))).toEqual({ width: 20_000, height: 30_000 })
})

test.each([
  ['nothing', Buffer.alloc(0)],
  ['a PNG', Buffer.from('\x89PNG\r\n\x1a\n0123456789', 'latin1')],
  ['a JPEG that ends before its frame', jpeg(9, 9).subarray(0, 12)],
  ['Huffman tables in the place of the frame', jpeg(9, 9, { frame: 0xc4 })],
  ['data before any frame', jpeg(9, 9, { frame: 0xda })],
  ['a table that leads behind the end', jpeg(9, 9, { tables: 2 }).fill(0xff, 4, 6)],
  ['tables without a length, without end', Buffer.from('ffd8ffe00000ffe00000ffe00000', 'hex')],
])('%s has none', (_, bytes) => {
  expect(jpegSize(bytes)).toBeNull()
})

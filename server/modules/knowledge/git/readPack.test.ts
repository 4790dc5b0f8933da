import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { applyDelta } from './applyDelta'
import { fileText } from './fileText'
import { readPktLines } from './pktLines'
import { readPack } from './readPack'
import { readRefs } from './refs'

const limits = { objects: 10, bytes: 10_000, object: 1_000 }

function sealed(body: Buffer): Buffer {
  return Buffer.concat([body, createHash('sha1').update(body).digest()])
}
function pack(count: number, ...entries: Buffer[]): Buffer {
  const head = Buffer.alloc(12)
  head.write('PACK')
  head.writeUInt32BE(2, 4)
  head.writeUInt32BE(count, 8)
  return sealed(Buffer.concat([head, ...entries]))
}
/** An object that says how large it is, and is what it is. */
function entry(type: number, size: number, content: Uint8Array): Buffer {
  const bytes = []
  let rest = Math.floor(size / 16)
  bytes.push((rest > 0 ? 128 : 0) | (type << 4) | (size % 16))
  while (rest > 0) {
    const next = Math.floor(rest / 128)
    bytes.push((next > 0 ? 128 : 0) | (rest % 128))
    rest = next
  }
  return Buffer.concat([Buffer.from(bytes), deflateSync(content)])
}
const blob = (text: string) => entry(3, text.length, Buffer.from(text))

test('objects are named by their content; a file that is too large is walked over', () => {
  const large = Buffer.alloc(2_000, 'x')
  const objects = readPack(pack(3, blob('hello'), entry(3, large.length, large), blob('again')), limits)
  expect([...objects].map(([name, { kind, bytes }]) => [name, kind, Buffer.from(bytes).toString()])).toEqual([
    ['b6fc4c620b67d95f953a5c1c1230aaab5db5a1b0', 'blob', 'hello'],
    [expect.any(String), 'blob', 'again'],
  ])
})

describe('a pack beyond its limits is refused before it is unpacked', () => {
  const bomb = Buffer.alloc(5_000_000)
  for (const [name, bytes, problem] of [
    ['more objects than are read', pack(11), 'too_large'],
    ['objects that are too much together', pack(11, ...Array(11).fill(blob('x'.repeat(999)))), 'too_large'],
    ['an object that says it is endless', pack(1, entry(3, 2 ** 40, Buffer.from('x'))), 'too_large'],
    ['more than an object has said', pack(1, entry(3, 10, bomb)), 'damaged'],
    ['less than it has said', pack(1, entry(3, 10, Buffer.from('x'))), 'damaged'],
    ['a size without an end', sealed(Buffer.concat([pack(1).subarray(0, 12), Buffer.alloc(40, 0xff)])), 'damaged'],
    ['fewer objects than it has said', pack(2, blob('x')), 'damaged'],
    ['a checksum of something else', Buffer.concat([pack(1, blob('x')).subarray(0, -1), Buffer.from([0])]), 'damaged'],
    ['something else', Buffer.from('<html>'.repeat(10)), 'damaged'],
  ] as const)
    test(name, () => {
      const most = name.includes('together') ? { ...limits, objects: 20 } : limits
      expect(() => readPack(bytes, most)).toThrow(expect.objectContaining({ code: problem }))
    })
})

test('a change makes at most what is allowed, and never reads beside its base', () => {
  const base = Buffer.from('hello world')
  const made = (delta: number[], most = 100) => {
    const bytes = applyDelta(base, Uint8Array.from(delta), most)
    return bytes && Buffer.from(bytes).toString()
  }
  expect(made([11, 6, 0x90, 5, 1, 33])).toBe('hello!')
  // a gigabyte is said, and nothing is made
  expect(made([11, 0x80, 0x80, 0x80, 0x80, 0x04])).toBe(null)
  for (const wrong of [[10, 1, 1, 33], [11, 5, 0x91, 8, 5], [11, 1, 0], [11, 2, 1, 33], [11, 0xff, 0xff], []])
    expect(() => made(wrong)).toThrow('damaged')
})

test('lines that say a wrong length, and lists of branches that are none, are refused', () => {
  for (const text of ['zzzz', '0005', 'ffff', '0003', '000'])
    expect(() => [...readPktLines(Buffer.from(text))], text).toThrow('damaged')
  expect(() => readRefs(Buffer.from('0000'))).toThrow('damaged')
  expect(() => readRefs(Buffer.from('0010ERR no such\n'))).toThrow('no such')
})

test('a file’s title is what it says, its first heading or its name; examples of code are left as they are', () => {
  expect(fileText('docs/a-b.md', 'Only words.')).toEqual({ title: 'a-b', markdown: 'Only words.' })
  expect(fileText('a.md', '```\n# no\n```\n## Yes ##\n').title).toBe('Yes')
  expect(fileText('a.md', "---\ntitle: 'It’s'\nx: 1\n---\n# Two\n")).toEqual({ title: 'It’s', markdown: '# Two\n' })
  const code = '```js\nimport x from "y"\n<Tip />\n```'
  expect(fileText('a.mdx', `export const a = 1\n<Tip kind="x">Yes</Tip>\n${code}`).markdown).toBe(`Yes\n${code}`)
})

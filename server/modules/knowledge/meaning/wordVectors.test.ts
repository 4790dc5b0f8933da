import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { alike, between, directionOf } from './direction'
import { hashOf } from './hashOf'
import { loadTaughtVectors, loadWordVectors } from './loadWordVectors'
import { readTaughtVectors } from './taughtVectors'
import { cosine, FORM, readWordVectors, type Vector } from './wordVectors'

/** A file of vectors with four numbers each. */
function fileOf(words: Record<string, number[]>, spellings: Record<string, number> = {}): Buffer {
  const byHash = <Value>(record: Record<string, Value>) =>
    Object.entries(record)
      .map(([word, value]) => ({ key: hashOf(word), value }))
      .sort((a, b) => a.key - b.key)
  const [stems, written] = [byHash(words), byHash(spellings)]
  const head = Uint32Array.of(FORM, 4, stems.length, written.length)
  const keys = Uint32Array.from([...stems, ...written].map(({ key }) => key))
  const level = (value: number) => (value + 15) / 2
  const codes = stems.flatMap(({ value: [a = 0, b = 0, c = 0, d = 0] }) => [
    level(a) | (level(b) << 4),
    level(c) | (level(d) << 4),
  ])
  const bytes = [...stems.map(() => 255), ...written.map(({ value }) => value), ...codes]
  return Buffer.concat([Buffer.from(head.buffer), Buffer.from(keys.buffer), Buffer.from(bytes)])
}

test('words have the numbers that the file has for their stems', () => {
  const vectors = readWordVectors(fileOf({ refund: [15, -15, 1, 3], park: [-1, 1, 7, -9] }, { refund: 90 }))
  expect(vectors.find('refunds')?.codes).toEqual(Int8Array.of(15, -15, 1, 3))
  expect(vectors.find('parking')?.codes).toEqual(Int8Array.of(-1, 1, 7, -9))
  expect(vectors.find('banana')).toBeNull()
  expect([vectors.frequency('refund'), vectors.frequency('refunds')]).toEqual([90, 0])
})

test('an unknown compound lies between its parts, and a word with an unknown ending where it has none', () => {
  const vectors = readWordVectors(fileOf({ zahn: [15, 1, 1, 1], reinigung: [1, 15, 1, 1], karto: [1, 1, 15, 1] }))
  expect(vectors.find('zahnreinigung')?.codes).toEqual(Int8Array.of(8, 8, 1, 1))
  expect(vectors.find('kartoxq')?.codes).toEqual(Int8Array.of(1, 1, 15, 1))
})

test('a file of another form, or one that is cut off, is refused', () => {
  const file = fileOf({ refund: [1, 1, 1, 1] })
  expect(() => readWordVectors(file.subarray(0, -1))).toThrow('no file of word vectors')
  expect(() => readWordVectors(file.subarray(0, 5))).toThrow('no file of word vectors')
  expect(() => readWordVectors(Buffer.concat([Buffer.from('zzzz'), file.subarray(4)]))).toThrow()
})

test('directions of texts are those of their telling words, and none without any', () => {
  const vectors = readWordVectors(fileOf({ refund: [15, -15, 1, 3], park: [-15, 15, -1, -3] }))
  const one = directionOf([vectors.find('refund'), null])
  expect(alike(one, directionOf([vectors.find('refunds')]))).toBeCloseTo(1, 5)
  expect(alike(one, directionOf([vectors.find('park')]))).toBeCloseTo(-1, 5)
  expect(alike(one, null)).toBe(0)
  expect(directionOf([null])).toBeNull()
  expect(alike(between([one, null]), one)).toBeCloseTo(1, 5)
})

test('words and concepts that were taught have a place of their own, all others are moved by the map', () => {
  const words = fileOf({ refund: [15, -15, 1, 3], park: [-1, 1, 7, -9] })
  // the first two numbers change places
  const map = Float32Array.from([0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])
  const file = Buffer.concat([Buffer.from(map.buffer), fileOf({ park: [9, 9, 9, 9], '= refund': [1, 3, 5, 7] })])
  const vectors = readTaughtVectors(file, words)
  expect(vectors.find('parking')?.codes).toEqual(Int8Array.of(9, 9, 9, 9))
  const [one, other] = [vectors.find('refunds'), readWordVectors(fileOf({ refund: [-15, 15, 1, 3] })).find('refund')]
  expect(cosine(one as Vector, other as Vector)).toBeGreaterThan(0.99)
  expect(vectors.concept(hashOf('= refund'))?.codes).toEqual(Int8Array.of(1, 3, 5, 7))
  expect(vectors.concept(hashOf('= banana'))).toBeNull()
  expect(() => readTaughtVectors(file.subarray(0, 70), words)).toThrow('no file of word vectors')
  expect(() => readTaughtVectors(file.subarray(0, 30), words)).toThrow('no file of word vectors')
})

test('taught vectors bring a question in other words nearer to what pages say of it', async () => {
  const [plain, taught] = await Promise.all([loadWordVectors(), loadTaughtVectors()])
  const points = (vectors: typeof plain, text: string) => directionOf(text.split(' ').map((word) => vectors.find(word)))
  const near = (vectors: typeof plain) =>
    alike(points(vectors, 'nothing inbox pressed buy yesterday'), points(vectors, 'order confirmation sent email')) -
    alike(points(vectors, 'nothing inbox pressed buy yesterday'), points(vectors, 'wheelchair ramp entrance'))
  expect(near(taught)).toBeGreaterThan(near(plain))
})

test('words of eight languages that mean much the same lie nearer than others', async () => {
  const vectors = await loadWordVectors()
  const near = (one: string, other: string) => cosine(vectors.find(one) as Vector, vectors.find(other) as Vector)
  for (const [one, other, stranger] of [
    ['refund', 'return', 'banana'],
    ['kundigen', 'cancel', 'table'],
    ['parking', 'parkplatz', 'invoice'],
    ['zahnarzt', 'dentist', 'contract'],
    ['dentista', 'dentiste', 'rechnung'],
    ['cena', 'prijs', 'hund'],
    ['preco', 'prezzo', 'window'],
  ] as const)
    expect(near(one, other), `${one} and ${other}`).toBeGreaterThan(near(one, stranger) + 0.25)
})

test('the file has at most 16 MB, and what it was taught 2 MB', () => {
  expect(statSync(join(import.meta.dirname, 'words.bin')).size).toBeLessThanOrEqual(16e6)
  expect(statSync(join(import.meta.dirname, 'taught.bin')).size).toBeLessThanOrEqual(2e6)
})

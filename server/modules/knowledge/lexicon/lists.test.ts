import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readLexicon } from './lexicon'
import { packLists, readLists } from './lists'

const number = fc.integer({ min: 0, max: 2 ** 32 - 1 })
const table = fc.array(fc.tuple(number, fc.array(number, { maxLength: 4 })), { maxLength: 50 })

test('lists are found by their numbers as they were written, wherever the bytes lie', () => {
  fc.assert(
    fc.property(fc.array(table, { maxLength: 3 }), number, fc.integer({ min: 0, max: 7 }), (tables, absent, shift) => {
      const maps = tables.map((entries) => new Map(entries))
      const bytes = packLists(maps)
      const place = new Uint8Array(bytes.length + shift)
      place.set(bytes, shift)
      const read = readLists(place.subarray(shift))
      expect(read.length).toBe(maps.length)
      for (const [at, map] of maps.entries())
        for (const key of [...map.keys(), absent]) {
          const found = read[at]?.get(key)
          expect(found && [...found]).toEqual(map.get(key))
        }
    }),
    { seed: 11, numRuns: 50 },
  )
})

test('what is cut off, longer or something else is refused', () => {
  const bytes = packLists([new Map([[7, [1, 2]]]), new Map()])
  for (const wrong of [bytes.subarray(4), bytes.subarray(0, -4), bytes.subarray(0, -1), new Uint8Array(0)])
    expect(() => readLists(wrong)).toThrow('no lists')
  expect(() => readLists(new Uint8Array([...bytes, 0, 0, 0, 0]))).toThrow('no lists')
  expect(() => readLexicon(packLists([new Map()]))).toThrow('no lexicon')
})

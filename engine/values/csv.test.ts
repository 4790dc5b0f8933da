import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvCell, csvLine } from './csv'

test.each(['=1+1', '+1-800', '-cmd', '@SUM(A1)', '\t=1', '\r=1', "'=1", '=HYPERLINK("http://x.example","y")'])(
  'a spreadsheet does not calculate %j',
  (text) => {
    const [record] = parse(csvLine([text])) as string[][]
    expect(record?.[0]).toBe(`'${text}`)
  },
)

test('numbers stay numbers, and plain words are as they are', () => {
  expect(['-12', '-0.5', '7', 'a - b', ''].map(csvCell)).toEqual(['-12', '-0.5', '7', 'a - b', ''])
})

test('a cell is read as it was written, whatever its signs', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 2, maxLength: 5 }), (cells) => {
      const [record] = parse(csvLine(cells), { relaxQuotes: false, recordDelimiter: '\r\n' }) as string[][]
      const bare = record?.map((cell, at) => (cell === `'${cells[at]}` ? cell.slice(1) : cell))
      expect(bare).toEqual(cells)
    }),
  )
})

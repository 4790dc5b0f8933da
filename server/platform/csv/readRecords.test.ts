import { expect, test } from 'vitest'
import { readRecords } from './readRecords'

const read = (csv: string, delimiters?: string[]) => {
  const { records, wrong, delimiter } = readRecords(csv, delimiters)
  return {
    records: records.map(({ record, line }) => [line, ...record]),
    wrong: wrong.map(({ line, message }) => [line, message.split(':')[0]]),
    delimiter,
  }
}
const OPEN = 'A quotation mark is opened and never closed'
const BROKEN = 'Its quotation marks are broken'

test.each(['\n', '\r\n', '\r'])('records are numbered as an editor does, whatever ends lines: %j', (end) => {
  const csv = ['\ufeffname,city', '', 'Ada,"London\n(UK)"', '  ', 'Bo,Oslo', ' '].join(end)
  expect(read(csv)).toEqual({
    records: [
      [1, 'name', 'city'],
      [3, 'Ada', 'London\n(UK)'],
      [6, 'Bo', 'Oslo'],
    ],
    wrong: [],
    delimiter: ',',
  })
})

test.each([
  ['a,b;c,d', ','],
  ['a;b,c;d', ';'],
  ['a\tb', '\t'],
  // as many of both: the one that is named first
  ['a,b;c', ','],
  ['alone', ','],
  // commas in quotation marks, and in later lines, don't count
  ['"a,b,""c,d"";x";e', ';'],
  ['a;b\nc,d,e,f', ';'],
])('of %j the separator is %j', (csv, delimiter) => {
  expect(read(csv).delimiter).toBe(delimiter)
})

test('only the separators that are given count', () => {
  expect(read('a;b|c|d', ['|', ';'])).toMatchObject({ delimiter: '|', records: [[1, 'a;b', 'c', 'd']] })
})

test('records may have different numbers of cells', () => {
  expect(read('a,b\nc\nd,e,f').records).toEqual([
    [1, 'a', 'b'],
    [2, 'c'],
    [3, 'd', 'e', 'f'],
  ])
})

test('after a broken line reading goes on with the next', () => {
  expect(read('a,b\nc,d"e\n\nf,g\n"h"i,j\nk,l')).toEqual({
    records: [
      [1, 'a', 'b'],
      [4, 'f', 'g'],
      [6, 'k', 'l'],
    ],
    wrong: [
      [2, BROKEN],
      [5, BROKEN],
    ],
    delimiter: ',',
  })
})

test('a quotation mark that is never closed is told at the line where it is opened', () => {
  expect(read('a,b\n\nc,"d\ne,f')).toEqual({
    records: [
      [1, 'a', 'b'],
      [4, 'e', 'f'],
    ],
    wrong: [[3, OPEN]],
    delimiter: ',',
  })
})

test('twenty broken lines are told, then that the rest was not read', () => {
  const broken = (count: number) => Array.from({ length: count }, () => 'a"b').join('\n')
  expect(read(`${broken(19)}\nlast`)).toMatchObject({ records: [[20, 'last']], wrong: { length: 19 } })
  const { records, wrong } = read(`${broken(20)}\nlast`)
  expect(records).toEqual([])
  expect(wrong.slice(19)).toEqual([
    [20, BROKEN],
    [21, 'Too many invalid lines'],
  ])
})

test('nothing has no records', () => {
  for (const csv of ['', '\ufeff', '\n \n']) expect(read(csv)).toMatchObject({ records: [], wrong: [] })
})

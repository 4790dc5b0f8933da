import { expect, test } from 'vitest'
import { splitTables } from './richTextTables'

const line = (text: string, more: object = {}) => ({ type: 'paragraph', ...more, children: [{ text }] })
const shown = (...lines: ReturnType<typeof line>[]) =>
  splitTables(lines).map((part) =>
    'rows' in part
      ? part.rows.map((row) => row.map((cell) => cell.map(({ text }) => text).join('')))
      : part.lines.map(({ children }) => children.map(({ text }) => text).join('')),
  )

test('two rows in a row are a table, and what stands around it stays lines', () => {
  expect(shown(line('Prices:'), line('| Room | Price |'), line('| Single | 80 |'), line('All with breakfast'))).toEqual(
    [
      ['Prices:'],
      [
        ['Room', 'Price'],
        ['Single', '80'],
      ],
      ['All with breakfast'],
    ],
  )
})

test('one row alone, items of lists and bars within a line are no table', () => {
  expect(shown(line('| alone |'))).toEqual([['| alone |']])
  expect(shown(line('| a |', { list: 'bullet' }), line('| b |', { list: 'bullet' }))).toEqual([['| a |', '| b |']])
  expect(shown(line('a | b'), line('c | d'), line('||'), line(''))).toEqual([['a | b', 'c | d', '||', '']])
})

test('cells keep how their words are written, and an empty cell stays one', () => {
  const children = [{ text: '| ' }, { text: 'bold', bold: true }, { text: ' | |' }]
  expect(splitTables([{ children }, { children }])).toEqual([
    { rows: [0, 1].map(() => [[{ text: 'bold', bold: true }], []]) },
  ])
})

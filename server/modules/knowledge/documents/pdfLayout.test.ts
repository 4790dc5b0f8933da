import { expect, test } from 'vitest'
import { linesOf, type PdfText, tableOf, writePdf } from '../../../../tests/support/pdf'
import { extractPdf } from './extractPdf'

async function pageOf(texts: readonly PdfText[]): Promise<string> {
  const read = await extractPdf(new Uint8Array(writePdf([texts])))
  if ('failed' in read) throw new Error(read.failed)
  return read.markdown.replace('<!-- page 1 -->\n\n', '')
}

const BOATS = [
  ['Boat', 'An hour', 'A day'],
  ['Single kayak', '9.50', '35.00'],
  ['Canoe', '14.00', '120.00'],
  ['Motorboat', '45.00', '1,250.00'],
]
const PLACES = [50, { end: 260 }, { end: 340 }]
const BOATS_TABLE =
  '| Boat | An hour | A day |\n| --- | --- | --- |\n| Single kayak | 9.50 | 35.00 |\n| Canoe | 14.00 | 120.00 |\n| Motorboat | 45.00 | 1,250.00 |'

test('what stands in columns is a table, with the text before and after it', async () => {
  const texts = [
    ...linesOf(['Our boats can be rented from April to October, every day.'], { top: 740 }),
    ...tableOf(BOATS, PLACES),
    ...linesOf(['All prices are in euros, and a deposit is taken for every boat.'], { top: 600 }),
  ]
  expect(await pageOf(texts)).toBe(
    `Our boats can be rented from April to October, every day.\n\n${BOATS_TABLE}\n\nAll prices are in euros, and a deposit is taken for every boat.`,
  )
})

test('a table is the same in whatever order its cells were drawn', async () => {
  const drawn = tableOf(BOATS, PLACES)
  const byColumn = [0, 1, 2].flatMap((column) => drawn.filter((_, at) => at % 3 === column))
  expect(await pageOf(byColumn)).toBe(BOATS_TABLE)
  expect(await pageOf([...drawn].reverse())).toBe(BOATS_TABLE)
})

test('lines of a cell are one text, whichever cell has more of them', async () => {
  const cell = (x: number, y: number, ...lines: string[]) => lines.map((text, at) => ({ text, x, y: y - at * 12 }))
  const texts = [
    ...cell(50, 700, 'Room'),
    ...cell(150, 700, 'What it has'),
    ...cell(400, 700, 'Price'),
    ...cell(50, 676, 'Small', 'room'),
    ...cell(150, 676, 'One bed, a desk and', 'a window to the gar-', 'den'),
    ...cell(400, 676, '60'),
    ...cell(50, 628, 'Suite'),
    ...cell(150, 628, 'Two rooms'),
    ...cell(400, 628, '180'),
    ...cell(50, 604, 'Dormitory'),
    ...cell(150, 604, 'Eight beds and', 'lockers'),
    ...cell(400, 604, '25'),
  ]
  expect(await pageOf(texts)).toBe(
    [
      '| Room | What it has | Price |',
      '| --- | --- | --- |',
      '| Small room | One bed, a desk and a window to the garden | 60 |',
      '| Suite | Two rooms | 180 |',
      '| Dormitory | Eight beds and lockers | 25 |',
    ].join('\n'),
  )
})

test('cells in the middle of their row belong to it, and a name may have more lines than the rest', async () => {
  // as browsers print a table: each cell is centred between its edges
  const texts = [
    { text: 'Boat', x: 70, y: 690, bold: true },
    { text: 'What it has', x: 150, y: 690, bold: true },
    { text: 'An', x: 280, y: 697, bold: true },
    { text: 'hour', x: 270, y: 683, bold: true },
    { text: 'Single kayak', x: 50, y: 644 },
    { text: 'One seat, a paddle and', x: 140, y: 658 },
    { text: 'a vest for children of', x: 140, y: 644 },
    { text: 'more than six years', x: 140, y: 630 },
    { text: '9.50', x: 270, y: 644 },
    { text: 'Canoe', x: 50, y: 609 },
    { text: 'Three seats', x: 140, y: 609 },
    { text: '14.00', x: 265, y: 609 },
    { text: 'Motorboat', x: 50, y: 588 },
    { text: 'with a roof', x: 50, y: 574 },
    { text: 'Six seats', x: 140, y: 581 },
    { text: '45.00', x: 265, y: 581 },
  ]
  expect(await pageOf(texts)).toBe(
    [
      '| Boat | What it has | An hour |',
      '| --- | --- | --- |',
      '| Single kayak | One seat, a paddle and a vest for children of more than six years | 9.50 |',
      '| Canoe | Three seats | 14.00 |',
      '| Motorboat with a roof | Six seats | 45.00 |',
    ].join('\n'),
  )
})

test('rows close together stay apart, though the names of the columns are further away', async () => {
  const rows = [
    ['Monday', '9-12', '14-17'],
    ['Tuesday', '9-12', ''],
    ['Wednesday', '', '14-17'],
    ['Thursday', '9-12', '14-17'],
    ['Friday', '9-12', '14-17'],
  ]
  const texts = [
    ...tableOf([['Day', 'Morning', 'Afternoon']], [50, 200, 350], { top: 730 }),
    ...tableOf(rows, [50, 200, 350], { leading: 13 }),
    ...tableOf([['Saturday', '9-12', '']], [50, 200, 350], { top: 618 }),
  ]
  expect(await pageOf(texts)).toContain('| Tuesday | 9-12 |  |\n| Wednesday |  | 14-17 |\n')
})

test('an empty cell stays empty', async () => {
  const rows = [
    ['Day', 'Morning', 'Evening'],
    ['Monday', '9-12', ''],
    ['Tuesday', '', '17-20'],
    ['Friday', '9-12', '17-20'],
  ]
  expect(await pageOf(tableOf(rows, [50, 200, 350]))).toContain(
    '| Monday | 9-12 |  |\n| Tuesday |  | 17-20 |\n| Friday | 9-12 | 17-20 |',
  )
})

const LEFT = [
  'the harbour was built when ships',
  'still came under sail, and its old',
  'walls are those of that time; they',
  'were mended after the great storm',
]
const RIGHT = [
  'today it is a place for people who',
  'row and sail, with a school and a',
  'house for their boats, which opens',
  'in April and closes at the end of it',
]
const READ_DOWN = `${LEFT.join(' ')} ${RIGHT.join(' ')}`

test('two columns of text are no table, and are read one after the other', async () => {
  const left = linesOf(LEFT, { x: 50 })
  const right = linesOf(RIGHT, { x: 320 })
  const flat = (text: string) => text.replace(/\s+/g, ' ')
  expect(flat(await pageOf([...left, ...right]))).toBe(READ_DOWN)
  // drawn across the page, line by line
  expect(flat(await pageOf(left.flatMap((text, at) => [text, right[at] as PdfText])))).toBe(READ_DOWN)
})

test('bullets and numbers beside entries make a list, not a table', async () => {
  const entries = ['Bring a towel', 'Wear shoes', 'Come early', 'Leave the dog at home']
  const drawn = (mark: (at: number) => string) =>
    tableOf(
      entries.map((text, at) => [mark(at), text]),
      [50, 80],
    )
  expect(await pageOf(drawn(() => '•'))).toBe('- Bring a towel\n- Wear shoes\n- Come early\n- Leave the dog at home')
  expect(await pageOf(drawn((at) => `${at + 1}.`))).not.toContain('|')
})

test('pairs of a name and a value have no names of columns, unless these are set apart', async () => {
  const pairs = [
    ['Owner', 'Ada Byron'],
    ['Address', 'Harbour Street'],
    ['Opens', 'in April'],
    ['Email', 'boats@example.org'],
  ]
  expect(await pageOf(tableOf(pairs, [50, 200]))).toContain('|  |  |\n| --- | --- |\n| Owner | Ada Byron |')
  const named = [['What', 'Which'], ...pairs]
  expect(await pageOf(tableOf(named, [50, 200], { head: true }))).toContain(
    '| What | Which |\n| --- | --- |\n| Owner |',
  )
})

test('a table from right to left is read from its right column', async () => {
  const rows = [
    ['ריחמ', 'הריס'],
    ['9.50', 'קאיק'],
    ['14.00', 'ונאק'],
    ['45.00', 'עונמ'],
  ]
  expect(await pageOf(tableOf(rows, [50, 300]))).toContain('| סירה | מחיר |\n| --- | --- |\n| קיאק | 9.50 |')
})

test('a raised number is a note’s mark, not a digit of the price before it', async () => {
  const texts = [
    { text: 'A day costs 30', x: 50, y: 700 },
    { text: '1', x: 120, y: 704, size: 6 },
    { text: 'for 20 m', x: 130, y: 700 },
    { text: '2', x: 170, y: 704, size: 6 },
    { text: '1', x: 50, y: 103, size: 5 },
    { text: 'Without the deposit.', x: 56, y: 100, size: 8 },
  ]
  expect(await pageOf(texts)).toBe('A day costs 30[1] for 20 m²\n\n[1] Without the deposit.')
})

test('left and right pages have their own heads, which are both left out', async () => {
  const pages = Array.from({ length: 7 }, (_, at) => [
    { text: at % 2 === 0 ? 'The harbour' : 'Rules of the house', x: at % 2 === 0 ? 400 : 50, y: 780 },
    ...linesOf([`Page text ${'abcdefg'[at]} begins`, 'goes on', 'and on', 'and ends.'], { top: 700 }),
  ])
  const read = await extractPdf(new Uint8Array(writePdf(pages)))
  expect('markdown' in read && read.markdown).not.toMatch(/harbour|Rules/)
})

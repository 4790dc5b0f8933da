import { expect, test } from 'vitest'
import { chunkFaq } from './chunkFaq'
import { CHUNK, chunkMarkdown, plainText } from './chunkMarkdown'

const paragraph = (sentence: string, times: number) => `${sentence} `.repeat(times).trim()

test('a passage stands under its headings and never reaches over one', () => {
  const markdown =
    '# Shop\n\nIntro.\n\n## Returns\n\nThirty days.\n\n### Abroad\n\nSixty days.\n\nContact\n-------\n\nCall us.'
  expect(chunkMarkdown(markdown, 'Shop')).toEqual([
    { heading: 'Shop', body: 'Intro.' },
    { heading: 'Shop › Returns', body: 'Thirty days.' },
    { heading: 'Shop › Returns › Abroad', body: 'Sixty days.' },
    { heading: 'Shop › Contact', body: 'Call us.' },
  ])
})

test('a heading with nothing below it is not lost', () => {
  expect(chunkMarkdown('# Help\n\n## Call 0800 123\n\n## Other\n\nText.', '')).toEqual([
    { heading: 'Help', body: 'Call 0800 123' },
    { heading: 'Help › Other', body: 'Text.' },
  ])
})

test('long paragraphs are cut between sentences, and no passage is longer than it may be', () => {
  const chunks = chunkMarkdown(paragraph('This is a sentence of some length.', 200), '')
  expect(chunks.length).toBeGreaterThan(4)
  for (const { body } of chunks) {
    expect(body.length).toBeLessThanOrEqual(CHUNK)
    expect(body).toMatch(/^This is .*length\.$/)
  }
  expect(chunks.map(({ body }) => body).join(' ')).toBe(paragraph('This is a sentence of some length.', 200))
})

test('text without spaces or sentences is cut as well, never inside a letter', () => {
  for (const text of ['x'.repeat(5_000), '👩‍👩‍👧'.repeat(900), '漢字'.repeat(2_000)]) {
    const bodies = chunkMarkdown(text, '').map(({ body }) => body)
    expect(bodies.join('')).toBe(text)
    for (const body of bodies) expect(body.length).toBeLessThanOrEqual(CHUNK)
  }
})

test("a long table is cut between rows, and each part begins with the columns' names", () => {
  const head = '| Size | Price |\n| --- | --- |'
  const rows = Array.from({ length: 200 }, (_, at) => `| size ${at} | ${at} euros |`)
  const chunks = chunkMarkdown([head, ...rows].join('\n'), '')
  expect(chunks.length).toBeGreaterThan(2)
  for (const { body } of chunks) {
    expect(body.startsWith(`${head}\n| size`)).toBe(true)
    expect(body.length).toBeLessThanOrEqual(CHUNK)
  }
  const kept = chunks.flatMap(({ body }) => body.split('\n').slice(2))
  expect(kept).toEqual(rows)
})

test('lists are cut between items, code between lines with its fences', () => {
  const items = Array.from({ length: 100 }, (_, at) => `- item ${at} with a few words\n  and a second line`)
  const list = chunkMarkdown(items.join('\n'), '')
  expect(list.map(({ body }) => body).join('\n')).toBe(items.join('\n'))
  for (const { body } of list) expect(body.startsWith('- item')).toBe(true)
  const code = chunkMarkdown(`\`\`\`sh\n${'echo one more line\n'.repeat(150)}\`\`\``, '')
  for (const { body } of code) expect(body).toMatch(/^```sh\necho [\s\S]*line\n```$/)
})

test('lists within lists keep their indentation, and a part that begins within an inner one has its items outermost', () => {
  const list = '1. Pack\n  * Shoes\n    * dry ones\n  * Hat\n2. Go'
  expect(chunkMarkdown(list, '').map(({ body }) => body)).toEqual([list])
  const inner = Array.from({ length: 60 }, (_, at) => `  * inner item ${at} with a few words\n    * a third one`)
  const [, second] = chunkMarkdown(['1. Outer', ...inner].join('\n'), '')
  expect(second?.body).toMatch(/^\* inner item \d+ with a few words\n {2}\* a third one\n\* inner item/)
  const long = `1. Outer\n${inner.map((line) => line.replace(/^/gm, '  ')).join('\n')}`
  for (const { body } of chunkMarkdown(long, '')) expect(body).toMatch(/^(?:1\. Outer|\* inner|\* a third)/)
})

test('an entry is one passage with its phrasings; a long answer makes several, each with the question', () => {
  const entry = { question: 'How?', phrasings: ['In which way?'], answer: 'So.' }
  expect(chunkFaq(entry)).toEqual([{ heading: 'How?\nIn which way?', body: 'So.' }])
  const long = chunkFaq({ ...entry, answer: paragraph('This is how it goes.', 150) })
  expect(long.length).toBeGreaterThan(2)
  for (const { heading } of long) expect(heading).toBe('How?\nIn which way?')
})

test('what is searched has the words of links and tables, not their marks', () => {
  expect(plainText('See [our **terms**](https://example.com/terms).')).toBe('See our terms.')
  expect(plainText('| a | b |\n| --- | --- |\n| 1 | 2 |').replace(/\s+/g, ' ')).toBe('a b 1 2')
  expect(chunkMarkdown('![A red bus](https://example.com/x.png) drives.', '')[0]?.body).toBe('A red bus drives.')
})

test('hostile Markdown is cut in no time', () => {
  for (const text of [
    '-'.repeat(200_000),
    '| '.repeat(100_000),
    '['.repeat(100_000),
    '#\n'.repeat(50_000),
    '```\n'.repeat(20_001),
  ]) {
    for (const { body } of chunkMarkdown(text, '')) expect(plainText(body).length).toBeLessThanOrEqual(CHUNK)
  }
})

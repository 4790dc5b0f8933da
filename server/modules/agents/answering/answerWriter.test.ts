import { expect, test } from 'vitest'
import type { Passage } from '../../knowledge/knowledge'
import { createAddresses } from './addresses'
import { createAnswerWriter, NOT_FOUND_MARKER } from './answerWriter'

const passage = (gid: string, kind: Passage['source']['kind'], url: string | null, text: string): Passage => ({
  id: `${gid}-${text.length}`,
  source: { gid, kind, title: gid, url },
  heading: '',
  text,
  score: 1,
})
const passages = [
  passage(
    'prices',
    'link',
    'https://shop.example/prices',
    'Also see https://shop.example/sale and https://evil.example/?q=',
  ),
  passage('booking', 'faq', null, 'Book at https://calendar.example/us.'),
  passage('prices', 'link', 'https://shop.example/prices', 'More about prices.'),
  passage('inside', 'link', 'https://intranet.example/secret', 'Not for visitors.'),
]

/** The answer when written at once, letter by letter, and in pieces of seven: it must be the same. */
function written(answer: string, { instructions = '', hidden = ['INTRANET.example'] } = {}) {
  const made = [answer.length || 1, 1, 7].map((size) => {
    const addresses = createAddresses(passages, instructions, hidden)
    const writer = createAnswerWriter({ addresses, sources: passages.map(({ source }) => source.gid) })
    let shown = ''
    for (let at = 0; at < answer.length; at += size) shown += writer.write(answer.slice(at, at + size))
    shown += writer.end()
    return {
      shown,
      text: writer.text(),
      cites: writer.cites(),
      notFound: writer.saysNotFound(),
      removed: writer.removed(),
    }
  })
  const [first] = made
  // if the marker comes late, the draft shown before is withdrawn at the end
  for (const other of made) expect({ ...other, ...(first?.notFound && { shown: first.shown }) }).toEqual(first)
  return first as NonNullable<typeof first>
}

test('citations are numbered as they come up, a number a source, and those of no passage are left out', () => {
  const { text, cites, removed } = written('Book online [2]. It costs 20 € [1, 3][2]. Trust me [9], [12] or [^1].')
  expect(text).toBe('Book online [1]. It costs 20 € [2][1]. Trust me, or [2].')
  expect(cites).toEqual([[1], [0, 2]])
  expect(removed.citations).toBe(2)
})

test.each([
  ['【2†source】', '[1]'],
  ['[Passage 2]', '[1]'],
  ['[2](https://evil.example)', '[1]'],
  ['[0]', ''],
  ['[2024]', '[2024]'],
  ['a[i] and [sic]', 'a[i] and [sic]'],
  ['[', '['],
  ['3 < 4 and 5 > 4', '3 < 4 and 5 > 4'],
  ['Grüße 你好 [1]你好', 'Grüße 你好 [1]你好'],
])('of %j stays %j', (answer, text) => expect(written(answer).text).toBe(text))

test('only addresses of the sources are linked', () => {
  const links: [string, string][] = [
    ['[Prices](https://shop.example/prices/)', '[Prices](https://shop.example/prices/)'],
    ['[Sale](<http://www.shop.example/sale> "now")', '[Sale](http://www.shop.example/sale)'],
    ['See https://calendar.example/us.', 'See https://calendar.example/us.'],
    ['<https://calendar.example/us>', 'https://calendar.example/us'],
    ['[Click](https://evil.example/?q=secret)', 'Click'],
    ['[Click](https://evil.example/?q=)', 'Click'],
    ['[https://shop.example/prices](https://evil.example)', 'https://shop.example/prices'],
    ['[a [b](https://evil.example/1)](https://evil.example/2)', 'a b()'],
    ['Go to https://evil.example/x?y=1 now', 'Go to now'],
    ['HTTPS://EVIL.example', ''],
    ['www.evil.example/x', ''],
    ['[x](javascript:alert(1))', 'x'],
    ['[x](//evil.example)', 'x'],
    ['[x](https://shop.example/prices?c=secret)', 'x'],
    ['[x](https://shop.example.evil.example/prices)', 'x'],
    ['[x](https://shop.example@evil.example/prices)', 'x'],
    ['[one]\n\n[one]: https://evil.example/x', '[one]\n\n[one]:'],
    ['<a href="https://evil.example">x</a>', 'x'],
    ['[x\\](https://evil.example/y)', '[x\\]()'],
    ['mailto:a@evil.example', ''],
  ]
  for (const [answer, text] of links) {
    const made = written(answer)
    expect([answer, made.text]).toEqual([answer, made.text.includes('evil') ? 'evil' : text])
  }
})

test('what the editor writes into the instructions may be linked', () => {
  const instructions = 'Always offer https://shop.example/contact.'
  expect(written('[Contact](https://shop.example/contact)', { instructions }).text).toContain('/contact)')
  expect(written('[Contact](https://shop.example/contact)').text).toBe('Contact')
})

test('pictures are left out, in any form', () => {
  for (const image of [
    '![x](https://evil.example/a.png)',
    '![x](https://shop.example/prices)',
    '![](<https://evil.example/a b.png>)',
    '![x][ref]',
    '<img src="https://evil.example/a.png">',
    '<img src=https://evil.example/a.png onerror=x',
    '![x](https://evil.example/never-closed',
  ]) {
    expect([image, written(`Look ${image}`).text]).toEqual([image, 'Look'])
  }
})

test('hidden addresses never appear, with or without a scheme', () => {
  for (const address of [
    'https://intranet.example/secret',
    '[Inside](https://INTRANET.example/secret)',
    'intranet.example/secret',
    'https://intranet%2Eexample/secret',
    '[intranet.example](https://shop.example/prices)',
  ]) {
    expect(written(`See ${address} there`).shown.toLowerCase()).not.toMatch(/intranet/)
  }
})

test('that nothing was found is known before a letter is shown', () => {
  for (const answer of [NOT_FOUND_MARKER, `**${NOT_FOUND_MARKER}**.`, `\n"no answer in passages`]) {
    expect(written(answer)).toMatchObject({ shown: '', notFound: true })
  }
  expect(written('No. It is closed [1].')).toMatchObject({ text: 'No. It is closed [1].', notFound: false })
  expect(written(`Well, ${NOT_FOUND_MARKER}`)).toMatchObject({ notFound: true })
})

test('what never ends is given out all the same', () => {
  const long = 'x'.repeat(6_000)
  expect(written(`[${long}`).text.length).toBe(6_001)
  expect(written(`https://${long} ok`).text === 'ok').toBe(true)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalRichText } from '../document/richText'
import { staticValue } from '../values/dynamicValue'
import { plainRichText, type RichText } from '../values/richText'
import { fingerprint } from './fingerprint'
import { parseMarkup, printMarkup } from './markup'

const names: Record<string, string> = { n: 'First name', o: '#o', sys_language: 'language' }
const ids = new Map(Object.entries(names).map(([id, name]) => [name, id]))
const nameOf = (id: string) => names[id] ?? `#${id}`
const idOf = (name: string) => ids.get(name) ?? null

test('a rich text reads as people write it', () => {
  const text: RichText = [
    {
      type: 'paragraph',
      children: [
        { text: 'Hi ' },
        { text: '', variable: true, variable_id: 'n', path: '.short', bold: true },
        { text: ', read ' },
        { text: 'our ', link: 'https://a.example/?q={{n}}&x="1"' },
        { text: 'terms', link: 'https://a.example/?q={{n}}&x="1"', italic: true },
        { text: ' & more < all' },
      ],
    },
    { type: 'paragraph', list: 'number', level: 1, children: [{ text: 'One', underline: true }] },
  ]
  const markup = printMarkup(text, nameOf)
  expect(markup).toBe(
    'Hi <b>{{First name.short}}</b>, read <a href="https://a.example/?q={{First name}}&amp;x=&quot;1&quot;">our <i>terms</i></a> & more < all\n<li number level="1"><u>One</u>',
  )
  expect(parseMarkup(markup, 'rich', idOf)).toEqual({ text, unknown: [] })
})

test('what people leave open or mistype loses no word', () => {
  const read = (markup: string) => parseMarkup(markup, 'rich', idOf)
  expect(read('<b>bold\nplain</i> {{Nobody}} <x>')).toEqual({
    text: [
      { type: 'paragraph', children: [{ text: 'bold', bold: true }] },
      { type: 'paragraph', children: [{ text: 'plain {{Nobody}} <x>' }] },
    ],
    unknown: ['Nobody'],
  })
  expect(parseMarkup('<b>{{language}}</b>', 'line', idOf).text).toEqual({
    type: 'dynamic',
    parts: [
      { type: 'text', text: '<b>' },
      { type: 'variable', variable_id: 'sys_language' },
      { type: 'text', text: '</b>' },
    ],
  })
})

/** What would be mistaken for markup, in all mixtures. */
const piece = fc.oneof(
  fc.constantFrom(
    '<b>',
    '</b>',
    '<a href="x">',
    '<li>',
    '<li number level="2">',
    '&amp;',
    '&lt;',
    '&',
    '<',
    '{',
    '{{',
    '{{language}}',
    '}}',
    '\r\n',
    '"',
    ' ',
    'é',
    'שלום',
  ),
  fc.string({ maxLength: 6 }),
)
const words = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''))
const mark = fc.option(fc.constant(true as const), { nil: undefined })
const marks = fc
  .record({
    bold: mark,
    italic: mark,
    underline: mark,
    link: fc.option(fc.constantFrom('https://a.example/', 'https://a.example/?a=1&b="{{n}}"', 'mailto:{{o.x}}'), {
      nil: undefined,
    }),
  })
  .map((all) => JSON.parse(JSON.stringify(all)))
const chip = fc.record({
  variable_id: fc.constantFrom('n', 'o', 'sys_language'),
  path: fc.constantFrom(undefined, '.a', '[0]', '["a b"]'),
})
const child = fc.oneof(
  fc.tuple(words, marks).map(([text, look]) => ({ text: text.replaceAll('\r', ''), ...look })),
  fc.tuple(chip, marks).map(([{ variable_id, path }, look]) => ({
    text: '',
    variable: true,
    variable_id,
    ...(path && { path }),
    ...look,
  })),
)
const place = fc.constantFrom({}, { list: 'bullet' }, { list: 'number', level: 2 })
const rich = fc
  .array(
    fc
      .tuple(place, fc.array(child, { maxLength: 5 }))
      .map(([list, children]) => ({ type: 'paragraph', ...list, children })),
    { minLength: 1, maxLength: 4 },
  )
  .map((text) => canonicalRichText(text))

test('any rich text comes back from its markup as it was', () => {
  fc.assert(
    fc.property(rich, (text) => {
      expect(parseMarkup(printMarkup(text, nameOf), 'rich', idOf)).toEqual({ text, unknown: [] })
    }),
    { seed: 20261123, numRuns: 2_000 },
  )
})

test('any text of one line comes back from its markup as it was', () => {
  fc.assert(
    fc.property(words, (text) => {
      expect(parseMarkup(printMarkup(staticValue(text), nameOf), 'line', idOf)).toEqual({
        text: staticValue(text),
        unknown: [],
      })
    }),
    { seed: 20261123, numRuns: 2_000 },
  )
})

test('a fingerprint tells one text from another, whichever form it is stored in', () => {
  expect(fingerprint(plainRichText('Hello'))).toBe(fingerprint(plainRichText('Hello')))
  expect(fingerprint({ type: 'dynamic', parts: [{ type: 'text', text: 'Hello' }] })).toBe(
    fingerprint(staticValue('Hello')),
  )
  expect(fingerprint(staticValue('Hello'))).not.toBe(fingerprint(staticValue('Hello!')))
  const bold: RichText = [{ type: 'paragraph', children: [{ text: 'Hello', bold: true }] }]
  expect(fingerprint(bold)).not.toBe(fingerprint(plainRichText('Hello')))
})

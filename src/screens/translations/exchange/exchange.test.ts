import fc from 'fast-check'
import { expect, test } from 'vitest'
import { registry } from '../../../../blocks/registry'
import { viewOfFlow } from '../../../../engine/check/view'
import { canonicalRichText } from '../../../../engine/document/richText'
import { type Block, emptyFlow, type Flow } from '../../../../engine/flow/schema'
import { fingerprint } from '../../../../engine/translations/fingerprint'
import { textRows } from '../../../../engine/translations/textRows'
import type { VisitorText } from '../../../../engine/translations/translation'
import { staticValue } from '../../../../engine/values/dynamicValue'
import { plainRichText, type RichText } from '../../../../engine/values/richText'
import { worstGrowth } from '../../../../tests/security/growth/measure'
import { writeCsv } from './csv'
import { exchangedTexts } from './exchangedTexts'
import { type ImportAnswer, readTranslations } from './importTranslations'
import { writeXliff } from './xliff'

const piece = fc.oneof(
  fc.constantFrom(
    '<b>',
    '</a>',
    '<pc>',
    '<![CDATA[',
    ']]>',
    '&lt;',
    '&',
    '{{',
    '{{Name}}',
    "'=",
    '=1+1',
    '"',
    ',',
    ';',
    '\t',
    'a',
    'Ünï',
    '你好',
    'مرحبا',
    '😀',
  ),
  fc.string({ maxLength: 5 }),
)
const words = fc
  .tuple(fc.constantFrom('w', 'w', ' w', '=w', "'=w"), fc.array(piece, { maxLength: 5 }))
  // what XML can't hold, and line breaks that every reader takes for one
  .map(([first, rest]) =>
    Array.from(first + rest.join(''))
      .filter((sign) => (sign === '\t' || sign >= ' ') && !/\p{Surrogate}|\uFFFE|\uFFFF/u.test(sign))
      .join(''),
  )
const line = words.map((text) => staticValue(text.slice(0, 60)))
const look = fc
  .constantFrom<object[]>(
    [{}],
    [{ bold: true }],
    [{ italic: true, underline: true }],
    [{ link: 'https://a.example/?x={{v}}&y="' }],
  )
  .map(([marks]) => marks)
const rich: fc.Arbitrary<RichText> = fc
  .array(
    fc.tuple(
      fc.constantFrom({}, { list: 'bullet' }, { list: 'number', level: 1 }),
      fc.array(
        fc.oneof(
          fc.tuple(words, look).map(([text, marks]) => ({ text, ...marks })),
          fc.constant({ text: '', variable: true, variable_id: 'v', path: '.a' }),
        ),
        { minLength: 1, maxLength: 3 },
      ),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((paragraphs) =>
    canonicalRichText([
      ...plainRichText('words'),
      ...paragraphs.map(([place, children]) => ({ type: 'paragraph', ...place, children })),
    ]),
  )

const version = (kind: string) => registry.get(kind).migrations.length
const data = (kind: string, more: object): Block['data'] =>
  JSON.parse(JSON.stringify({ ...(registry.get(kind).defaults(() => 'd') as object), ...more }))
const flowOf = (blocks: Block[]): Flow => ({
  ...emptyFlow(),
  variables: [{ id: 'v', name: 'Name', value: null }],
  groups: [{ id: 'g', title: 'Hi, "you"', position: { x: 0, y: 0 }, blocks }],
})
const block = (id: string, kind: string, more: object, translations?: Record<string, VisitorText>): Block => {
  const made: Block = { id, kind, version: version(kind), data: data(kind, more) }
  if (!translations) return made
  const rows = textRows(viewOfFlow(flowOf([made])), registry)
  const own = Object.fromEntries(
    rows.map(({ place, text }) => [place, { text: translations[place] as VisitorText, of: fingerprint(text) }]),
  )
  return { ...made, translations: { ar: own } }
}

/** Two flows whose texts are all translated, and the same without a translation. */
const chatbot = fc.tuple(fc.array(fc.tuple(rich, rich, line, line), { minLength: 1, maxLength: 4 })).map(([texts]) =>
  [true, false].map((translated) =>
    ['one', 'two'].map((id) => ({
      id,
      flow: flowOf(
        texts.flatMap(([main, other, label, otherLabel], at) => [
          block(`t${at}`, 'text', { content: main }, translated ? { content: other } : undefined),
          block(
            `b${at}`,
            'buttons',
            { prompt: plainRichText(''), options: [{ id: 'o', label }] },
            translated ? { 'options.o.label': otherLabel } : undefined,
          ),
        ]),
      ),
    })),
  ),
)
type Flows = { id: string; flow: Flow }[]

const titled = (flows: Flows) => flows.map(({ id, flow }) => ({ id, title: `Flow ${id}`, view: viewOfFlow(flow) }))
const texts = (flows: Flows) =>
  exchangedTexts(titled(flows), registry, ['ar'], { kind: (kind) => kind, field: (place) => place })

function taken(answer: ImportAnswer, flows: Flows): Flows {
  if (!answer.ok) throw new Error(answer.message)
  const { changes } = answer.plan
  return flows.map(({ id, flow }) => ({
    id,
    flow: {
      ...flow,
      groups: flow.groups.map((group) => ({
        ...group,
        blocks: group.blocks.map((block) => {
          const own = changes.filter(({ flow, blockId }) => flow === id && blockId === block.id)
          return own.length === 0
            ? block
            : {
                ...block,
                translations: { ar: Object.fromEntries(own.map(({ place, translation }) => [place, translation])) },
              }
        }),
      })),
    },
  }))
}

test.each([
  ['CSV', (flows: Flows) => writeCsv(texts(flows), 'en', ['ar'])],
  ['XLIFF', (flows: Flows) => writeXliff(texts(flows), 'en', 'ar')],
])('%s that goes out and comes in again brings every translation, with its marks, links and variables', (_, write) => {
  fc.assert(
    fc.property(chatbot, ([translated = [], bare = []]) => {
      const source = write(translated)
      const answer = readTranslations({ source, flows: bare, main: 'en', others: ['ar'] }, registry)
      expect(answer).toMatchObject({ ok: true, plan: { unknown: [], refused: [], outdated: 0, same: 0 } })
      expect(taken(answer, bare)).toEqual(translated)
      const again = readTranslations({ source, flows: translated, main: 'en', others: ['ar'] }, registry)
      expect(again).toMatchObject({ ok: true, plan: { changes: [], unknown: [], refused: [] } })
    }),
    { seed: 20261123, numRuns: 150 },
  )
})

const greeting: RichText = [
  { type: 'paragraph', children: [{ text: 'Hi ' }, { text: '', variable: true, variable_id: 'v' }] },
]
const flows: Flows = [
  {
    id: 'one',
    flow: flowOf([
      block('t', 'text', { content: greeting }),
      block('b', 'buttons', { prompt: plainRichText('Tea?'), options: [{ id: 'o', label: staticValue('Yes') }] }),
    ]),
  },
]
const read = (source: string, others = ['ar']) => readTranslations({ source, flows, main: 'en', others }, registry)

test('a report tells what changes, what is not known, what is refused, which variables are lost, what is outdated', () => {
  const source = [
    'id;flow;en;AR;de;xx',
    'one/t.content;;Hi {{Name}};مرحبا;Hallo {{name}};?',
    'b.prompt;;Coffee?;قهوة؟;;',
    `b.options.o.label;;Yes;${'ن'.repeat(76)};;`,
    'gone.content;;Hi;مرحبا;;',
  ].join('\r\n')
  const answer = read(source)
  if (!answer.ok) throw new Error(answer.message)
  const { plan, newLanguages, foreign } = answer
  expect(newLanguages).toEqual(['de'])
  expect(foreign).toEqual([{ language: 'xx', count: 1 }])
  expect(plan.changes.map(({ blockId, language }) => [blockId, language])).toEqual([
    ['t', 'ar'],
    ['t', 'de'],
    ['b', 'ar'],
  ])
  expect(plan).toMatchObject({
    unknown: [{ id: 'gone.content', language: 'ar' }],
    refused: [{ id: 'b.options.o.label', language: 'ar', message: 'Must not exceed 75 characters' }],
    lost: [{ id: 't.content', language: 'ar', variables: ['Name'] }],
    outdated: 1,
  })
})

test('a translation program may cut a text into segments and set codes of its own', () => {
  const source = `<?xml version="1.0"?><x:xliff xmlns:x="urn:oasis:names:tc:xliff:document:2.0" version="2.1" srcLang="en" trgLang="AR">
    <x:file id="f-one"><x:group id="g"><x:unit id="t.content"><x:originalData><x:data id="d1">{{Name}}</x:data></x:originalData>
    <x:segment><x:source>Hi </x:source><x:target><![CDATA[<b>]]>أهلا</x:target></x:segment><x:ignorable><x:source/><x:target> </x:target></x:ignorable>
    <x:segment><x:source><x:ph id="1" dataRef="d1"/></x:source><x:target><x:ph id="1" dataRef="d1"/></x:target></x:segment></x:unit></x:group></x:file></x:xliff>`
  const answer = read(source)
  if (!answer.ok) throw new Error(answer.message)
  expect(answer.plan.changes[0]?.translation).toEqual({
    of: fingerprint(greeting),
    text: [
      {
        type: 'paragraph',
        children: [
          { text: 'أهلا ', bold: true },
          { text: '', variable: true, variable_id: 'v', bold: true },
        ],
      },
    ],
  })
})

test.each([
  ['', 'The first line must name'],
  ['a,b\n1,2', 'The first line must name'],
  ['id,ar\n"t.content,x', 'It could not be read as CSV'],
  ['<html></html>', 'It is no XLIFF'],
  ['<xliff version="1.2"></xliff>', 'It is XLIFF 1.2'],
  ['<xliff version="2.0"></xliff>', 'trgLang is missing'],
  ['x'.repeat(20_000_001), 'It is larger than 20 MB'],
  [`id,ar\n${'t.content,x\n'.repeat(100_001)}`, 'It has more than 100000 translations'],
  [
    `<xliff version="2.0" trgLang="ar">${'<unit id="t.content"><target>x</target></unit>'.repeat(100_001)}</xliff>`,
    'It has more than 100000',
  ],
])('what is no such file, or too large, is said (%#)', (source, message) => {
  expect(read(source)).toMatchObject({ ok: false, message: expect.stringContaining(message) })
})

test.each([
  ['rows', (n: number) => `id,ar\n${'t.content,مرحبا {{Name}}\n'.repeat(n)}`],
  ['one long cell', (n: number) => `id,ar\nt.content,"${'<b>{{a '.repeat(n * 3)}"`],
  [
    'nested elements',
    (n: number) =>
      `<xliff version="2.0" trgLang="ar"><unit id="t.content"><target>${'<pc dispStart="&lt;b&gt;">'.repeat(n)}`,
  ],
  [
    'entities',
    (n: number) =>
      `<!DOCTYPE x [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><xliff version="2.0" trgLang="ar"><unit id="t.content"><target>${'&b;&amp;'.repeat(n)}</target></unit></xliff>`,
  ],
])('reading %s takes time that grows with the file', async (_, make) => {
  expect(await worstGrowth(read, make, { most: 16_000 })).toBeNull()
})

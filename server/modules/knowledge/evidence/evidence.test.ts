import { expect, test } from 'vitest'
import { markdownText } from '../../../../engine/values/markdown'
import { listMarkers } from '../../../../engine/values/richTextLists'
import type { Passage } from '../knowledge'
import { loadLexicon } from '../lexicon/loadLexicon'
import { loadTaughtVectors } from '../meaning/loadWordVectors'
import { averagesOf } from '../retrieval/impacts'
import { buildIndex } from '../retrieval/lexicalIndex'
import { askedOf } from '../retrieval/question'
import { tokensOf } from '../retrieval/tokens'
import { readPassages } from './readPassages'
import { weigh, zoneOf } from './weigh'

const lexicon = await loadLexicon()
const vectors = await loadTaughtVectors()
const FOOTER = 'Rowan Boats Ltd, 3 Quay Street. All prices include tax.'
const section = (heading: string, text: string, kind: 'text' | 'faq' = 'text') => ({ heading, text, kind })
const BOATS = [
  section(
    'Prices › Boats',
    `| Boat | an hour | a week |\n| --- | --- | --- |\n| Single kayak | 9 € | 190 € |\n| Double kayak | 14 € | 260 € |\n| Canoe | 18 € | |\n\n${FOOTER}`,
  ),
  section('Opening › Summer', `From May we open at nine. On Sundays too.\n\n${FOOTER}`),
  section(
    'About › History',
    `${'Our grandfather built the first boat in the shed behind the church. '.repeat(12)}\n\n${FOOTER}`,
  ),
  section('Do I need to be able to swim?', 'Yes, at least 50 metres. Life jackets are included.', 'faq'),
]

async function ask(question: string, sections = BOATS) {
  const records = sections.map(({ heading, text, kind }, id) => ({
    id,
    tokens: tokensOf({ heading, body: text, isFaq: kind === 'faq', language: 'en' }, lexicon),
  }))
  const index = await buildIndex(records, averagesOf(records.map(({ tokens }) => tokens)))
  const found = index.search(askedOf(question, lexicon), 12)
  const passages = found.hits.map(({ id, score }): Passage => {
    const { heading, text, kind } = sections[id] as (typeof sections)[number]
    const source = { gid: String(id), kind, title: '', url: null }
    return { id: String(id), source, heading, text, score: Math.min(1, score / found.full) }
  })
  return weigh(passages, question, { lexicon, vectors }, { ...found, above: 0 })
}
const quote = async (question: string) => (await ask(question))[0]?.passage.quote

test('a price is said as the row of its table, with the names of the columns', async () => {
  expect(await quote('price of a single kayak for a week')).toBe('Single kayak – an hour: 9 €; a week: 190 €')
  expect(await quote('how much is the canoe')).toBe('Canoe – an hour: 18 €')
})

const HOURS = [
  section(
    'Opening hours',
    '| Day | Counter | Telephone |\n| --- | --- | --- |\n| Monday to Thursday | 8:00 to 17:30 | 8:00 to 17:00 |\n| Friday | 8:00 to 15:00 | 8:00 to 14:30 |\n| Saturday | 9:00 to 12:45 | – |\n| Sunday | closed | – |',
  ),
  section('News', 'In May the choir sings for everybody in the yard, and the bakery brings cake.'),
]

test('opening hours are said for the day that is asked', async () => {
  const quote = async (question: string) => (await ask(question, HOURS))[0]?.passage.quote
  expect(await quote('opening hours on saturdays')).toBe('Saturday – Counter: 9:00 to 12:45; Telephone: –')
  expect(await quote('is the counter open on tuesday')).toBe(
    'Monday to Thursday – Counter: 8:00 to 17:30; Telephone: 8:00 to 17:00',
  )
})

test('where no row is meant, the rows are said as a list', async () => {
  expect(await quote('prices of boats')).toBe(
    '- Single kayak – an hour: 9 €; a week: 190 €\n- Double kayak – an hour: 14 €; a week: 260 €\n- Canoe – an hour: 18 €',
  )
})

test('a short section is said whole, without the footer that other pages have too', async () => {
  expect(await quote('when do you open in summer')).toBe('From May we open at nine. On Sundays too.')
})

test('a list is said with the lists in it, and each item as a line, so that numbers go on', async () => {
  const [first] = await ask('how do i return a boat', [
    section(
      'Returns › Boats',
      '1. Return the boat by six.\n  * Rinse it\n  * Dry it  \n    with a towel\n2. Sign the list.',
    ),
    section('News', 'In May the choir sings for everybody in the yard.'),
  ])
  const said = '1. Return the boat by six.\n  * Rinse it\n  * Dry it with a towel\n2. Sign the list.'
  expect(first?.passage.quote).toBe(said)
  expect(listMarkers(markdownText(said))).toEqual(['1.', '•', '•', '2.'])
})

test('a long section is left to its sentences', async () => {
  const [first] = await ask('where did your grandfather build the first boat')
  expect(first?.passage.heading).toBe('About › History')
  expect(first?.passage.quote).toBeNull()
})

test('a “yes” is said with the question that it answers, unless that is asked', async () => {
  expect(await quote('do i need to be able to swim')).toBe('Yes, at least 50 metres. Life jackets are included.')
  expect(await quote('are life jackets included for people who swim badly')).toBe(
    '**Do I need to be able to swim?** Yes, at least 50 metres. Life jackets are included.',
  )
})

test('a passage that has the kind of answer that is wanted is likelier than one that only has the words', async () => {
  const [first, second] = await ask('how much is the guided tour', [
    section('Tours › People', 'The guided tour is led by Ms Rowan and takes you through the reeds.'),
    section('Tours › Fees', 'The guided tour is 12 € a person.'),
  ])
  expect(first?.passage.heading).toBe('Tours › Fees')
  expect(first?.odds).toBeGreaterThan(second?.odds ?? 0)
})

test('blocks that several sources have are left out; of one source alone they stay', () => {
  const passage = (gid: string, text: string): Passage => ({
    ...{ id: gid, heading: 'A › B', text, score: 1 },
    source: { gid, kind: 'text', title: '', url: null },
  })
  const blocks = (...passages: Passage[]) => readPassages(passages).map((read) => read.blocks)
  expect(blocks(passage('a', 'One.\n\nMenu'), passage('b', 'Two.\n\nMenu'))).toEqual([['One.'], ['Two.']])
  expect(blocks(passage('a', 'One.\n\nMenu'), passage('a', 'Two.\n\nMenu'))).toEqual([
    ['One.', 'Menu'],
    ['Two.', 'Menu'],
  ])
})

const SHOP = [
  section('Returns', 'You may send back what you do not like within 30 days. We refund the price within a week.'),
  section('Delivery', 'Parcels arrive in two to four days. Above 50 € we send them for free.'),
  section('Repairs', 'We mend watches and clocks of any make. A new battery takes ten minutes.'),
  section('Opening hours', 'Monday to Friday from 9:00 to 18:00, Saturday from 10:00 to 14:00.'),
  section('About', 'Three sisters opened the shop in the old station in 1998.'),
]
const zone = async (question: string) => zoneOf(await ask(question, SHOP)).zone

test('what a passage says in other words is answered or offered', async () => {
  for (const question of ['can i get my money back', 'my clock stopped, can you fix it'])
    expect(`${await zone(question)}: ${question}`).not.toBe(`unknown: ${question}`)
})

test('what is near a passage, and about nothing that any has, is not answered', async () => {
  for (const question of ['do you engrave watches', 'can i return a gift card', 'why do cats purr'])
    expect(`${await zone(question)}: ${question}`).not.toBe(`confident: ${question}`)
  expect(await zone('why do cats purr')).toBe('unknown')
})

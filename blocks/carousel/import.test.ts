import { expect, test } from 'vitest'
import { importBlock, importGroups } from '../../tests/support/typebot'

const text = (value: string) => ({ type: 'static', value })
const pictures = (items: Record<string, unknown>[], options: Record<string, unknown> = {}) =>
  importBlock({ type: 'picture choice input', items, options }, 'Pet')
const cat = { id: 'cat', title: 'Cat', pictureSrc: 'https://a.test/cat.png', description: 'It purrs' }

test('pictures to choose one from become cards, whose titles are buttons and are saved', () => {
  const { kind, data, notes, variable } = pictures([cat, { id: 'dog', title: 'Dog' }], { variableId: 'v-Pet' })
  expect([kind, notes]).toEqual(['carousel', []])
  expect(data).toMatchObject({ typing: false, saveTo: variable })
  expect(data.items).toMatchObject([
    { title: text(''), image: text(cat.pictureSrc), description: text('It purrs'), buttons: [{ label: text('Cat') }] },
    { image: text(''), buttons: [{ label: text('Dog') }] },
  ])
})

test.each([
  ['several may be chosen', [cat], { isMultipleChoice: true }],
  ['they come from variables', [cat], { dynamicItems: { isEnabled: true, titlesVariableId: 'v-Pet' } }],
  ['one is shown on a condition', [{ ...cat, displayCondition: { isEnabled: true, condition: {} } }], {}],
  ['a title is long', [{ ...cat, title: 'x'.repeat(76) }], {}],
  ['there are more than ten', Array.from({ length: 11 }, (_, n) => ({ ...cat, id: `${n}` })), {}],
  ['there are none', [{ id: 'cat', title: 'Cat' }], {}],
])('pictures are buttons when %s', (_, items, options) => {
  expect(pictures(items, options).kind).toBe('buttons')
})

test('an address that can not be shown is noted', () => {
  const { data, notes } = pictures([cat, { id: 'b', title: 'B', pictureSrc: 'data:image/png;base64,x' }])
  expect(data.items).toMatchObject([{}, { image: text('') }])
  expect(notes).toEqual(['A picture has no address that starts with https:// or http://: upload it here.'])
})

test('each button keeps its edge, of a picture by the item, of a card by the path; the rest leaves by next', () => {
  const edge = (id: string, from: unknown, groupId: string) => ({ id, from, to: { groupId } })
  const blocks = [
    { id: 'p', type: 'picture choice input', items: [cat, { ...cat, id: 'dog', outgoingEdgeId: 'e1' }] },
    {
      id: 'c',
      type: 'cards',
      items: [
        {
          id: 'card',
          imageUrl: 'https://a.test/a.png',
          title: 'A card',
          description: 'with text',
          options: { displayCondition: { isEnabled: true, condition: {} }, internalValue: '7' },
          paths: [
            { id: 'one', text: 'One', outgoingEdgeId: 'e2' },
            { id: 'two', text: 'Two' },
          ],
        },
      ],
      options: {
        saveResponseMapping: [
          { field: 'Title', variableId: 'v-A' },
          { field: 'Button text', variableId: 'v-B' },
          { field: 'Image URL', variableId: 'v-B' },
        ],
      },
      outgoingEdgeId: 'e4',
    },
  ]
  const groups = [
    { id: 'g', title: 'G', blocks },
    { id: 'x', title: 'X', blocks: [] },
  ]
  const edges = [
    edge('e1', { blockId: 'p', itemId: 'dog' }, 'x'),
    edge('e2', { blockId: 'c', itemId: 'card', pathId: 'one' }, 'x'),
    edge('e3', { blockId: 'c', itemId: 'card', pathId: 'two' }, 'x'),
    edge('e4', { blockId: 'c' }, 'x'),
  ]
  const { flow, report } = importGroups(groups, { edges, variables: ['A', 'B'] })
  const [picture, cards] = flow.groups[0]?.blocks ?? []
  const buttonsOf = (data: unknown) =>
    (data as { items: { buttons: { id: string }[] }[] }).items.flatMap((i) => i.buttons)
  const [one, two] = buttonsOf(cards?.data)
  expect(flow.edges.map(({ from }) => from)).toEqual([
    { blockId: picture?.id, portId: buttonsOf(picture?.data)[1]?.id },
    { blockId: cards?.id, portId: 'next' },
    { blockId: cards?.id, portId: one?.id },
    { blockId: cards?.id, portId: two?.id },
  ])
  const [a, b] = flow.variables.map(({ id }) => id)
  expect(cards?.data).toMatchObject({ saveCardTo: a, saveTo: b, items: [{ title: text('A card') }] })
  expect(report.notes.filter(({ place }) => place === 'G › cards').map(({ message }) => message)).toEqual([
    "The card 'A card' was shown on a condition: put a condition before the carousel.",
    "What the card 'A card' meant inside is left out: set a variable after it.",
    "'Image URL' of the chosen card is not saved here: set a variable after each button.",
  ])
})

test('a single card of variables is shown once for each item of their lists', () => {
  const cards = (...items: object[]) => importBlock({ type: 'cards', items }, 'Titles').data
  expect(cards({ id: 'a', title: '{{Titles}}', paths: [] })).toMatchObject({ repeat: true })
  expect(cards({ id: 'a', title: 'Tea', paths: [] })).toMatchObject({ repeat: false })
  expect(cards({ id: 'a', title: '{{Titles}}' }, { id: 'b', title: 'Tea' })).toMatchObject({ repeat: false })
})

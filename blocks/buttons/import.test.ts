import { expect, test } from 'vitest'
import { importBlock, importGroups } from '../../tests/support/typebot'

const two = [
  { id: 'i1', content: 'Yes' },
  { id: 'i2', content: 'No' },
]

test('a choice keeps its options in order, with ids of ours, and its variable', () => {
  const { kind, data, variable } = importBlock(
    { type: 'choice input', items: two, options: { variableId: 'v-A' } },
    'A',
  )
  expect(kind).toBe('buttons')
  expect(data).toMatchObject({ multiple: false, typing: false, saveTo: variable })
  expect(data.options).toEqual([
    { id: expect.stringMatching(/^new\d+$/), label: { type: 'static', value: 'Yes' } },
    { id: expect.stringMatching(/^new\d+$/), label: { type: 'static', value: 'No' } },
  ])
})

const wired = (options: unknown, ids = ['i1', 'i2']) => {
  const items = ids.map((id, index) => ({
    id,
    content: `Option ${index}`,
    ...(index === 0 && { outgoingEdgeId: 'e1' }),
  }))
  const { flow } = importGroups(
    [
      { id: 'g1', title: 'A', blocks: [{ id: 'b1', type: 'choice input', items, options, outgoingEdgeId: 'e2' }] },
      { id: 'g2', title: 'B', blocks: [] },
      { id: 'g3', title: 'C', blocks: [] },
    ],
    {
      edges: [
        { id: 'e1', from: {}, to: { groupId: 'g2' } },
        { id: 'e2', from: {}, to: { groupId: 'g3' } },
      ],
    },
  )
  const options0 = flow.groups[0]?.blocks[0]?.data.options as { id: string }[]
  const title = (groupId: string) => flow.groups.find((group) => group.id === groupId)?.title
  return flow.edges.map(({ from, to }) => [
    from.portId === 'default' ? 'default' : options0.findIndex(({ id }) => id === from.portId),
    title(to.groupId),
  ])
}

test("an option's edge leaves by the option, the block's own edge by the default", () => {
  expect(wired({})).toEqual([
    ['default', 'C'],
    [0, 'B'],
  ])
})

test('of two options with one id each keeps its own edge', () => {
  expect(wired({}, ['same', 'same'])).toEqual([
    ['default', 'C'],
    [0, 'B'],
  ])
})

test('when several may be chosen the default edge alone is followed', () => {
  expect(wired({ isMultipleChoice: true })).toEqual([['default', 'C']])
})

test('a label above 75 characters is cut, and the whole of it is what is saved', () => {
  const content = 'x'.repeat(76)
  const { data, notes } = importBlock({ type: 'choice input', items: [{ id: 'i', content }] })
  expect(data.options).toMatchObject([
    { label: { type: 'static', value: 'x'.repeat(75) }, value: { type: 'static', value: content } },
  ])
  expect(notes).toEqual([`The text '${'x'.repeat(40)}…' is longer than 75 characters and was cut.`])
})

test('options that come from a variable come from it here too, of pictures the titles', () => {
  const buttons = { type: 'choice input', items: two, options: { dynamicVariableId: 'v-List' } }
  const pictures = {
    type: 'picture choice input',
    options: { dynamicItems: { isEnabled: true, titlesVariableId: 'v-List' } },
  }
  for (const block of [buttons, pictures]) {
    const { data, variable, notes } = importBlock(block, 'List')
    expect(data).toMatchObject({ options: [], typing: false, list: { variableId: variable, labelPath: '' } })
    expect(notes).toEqual([])
  }
})

test('an option keeps the condition on which it is shown', () => {
  const comparisons = [{ variableId: 'v-Age', comparisonOperator: 'Greater than', value: '17' }]
  const items = [
    { id: 'i', content: 'Wine', displayCondition: { isEnabled: true, condition: { comparisons } } },
    { id: 'j', content: 'Tea', displayCondition: { isEnabled: false, condition: { comparisons } } },
  ]
  const { data, variable, notes } = importBlock({ type: 'choice input', items }, 'Age')
  expect(data.options).toMatchObject([
    { condition: { match: 'all', comparisons: [{ variableId: variable, operator: 'greater' }] } },
    { label: { value: 'Tea' } },
  ])
  expect(notes).toEqual([])
})

test('pictures to choose several from become buttons with their titles, and the pictures are noted', () => {
  const items = [{ id: 'i', title: 'Cat', pictureSrc: 'https://a.test/cat.png' }]
  const { kind, data, notes } = importBlock({
    type: 'picture choice input',
    items,
    options: { isMultipleChoice: true },
  })
  expect(kind).toBe('buttons')
  expect(data.options).toMatchObject([{ label: { type: 'static', value: 'Cat' } }])
  expect(notes).toEqual([
    'The pictures of its options are not shown: put images before it, or make it a carousel of single choices.',
  ])
})

test('above 100 options the rest is noted', () => {
  const items = Array.from({ length: 101 }, (_, index) => ({ id: `i${index}`, content: `${index}` }))
  const { data, notes } = importBlock({ type: 'choice input', items })
  expect(data.options).toHaveLength(100)
  expect(notes).toEqual(['Only the first 100 of 101 options are kept.'])
})

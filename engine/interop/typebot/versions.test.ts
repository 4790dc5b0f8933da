import { expect, test } from 'vitest'
import { registry } from '../../../blocks/registry'
import { typebotFiles, typebotSource } from '../../../tests/support/typebot'
import { serialiseFlow } from '../../flow/canonical'
import { createCountingIds } from '../../flow/ids'
import { type Fields, fieldsOf, listOf } from '../fields'
import { importFlow } from '../importFlow'

/**
 * The file in the format of older versions: groups were called blocks, blocks steps, the start was one of them,
 * requests were stored apart.
 */
function older(file: Fields): Fields {
  const webhooks: Fields[] = []
  const step = (block: Fields): Fields => {
    const { webhook, ...options } = fieldsOf(block.options)
    if (webhook === undefined) return block
    webhooks.push({ id: `request${webhooks.length}`, ...fieldsOf(webhook) })
    return { ...block, options, webhookId: `request${webhooks.length - 1}` }
  }
  const starts = listOf(file.events).map((event) => {
    const { graphCoordinates, ...block } = fieldsOf(event)
    return { id: `start ${block.id}`, title: 'Start', graphCoordinates, steps: [block] }
  })
  const groups = listOf(file.groups).map((group) => {
    const { blocks, ...rest } = fieldsOf(group)
    return { ...rest, steps: listOf(blocks).map((block) => step(fieldsOf(block))) }
  })
  const edges = listOf(file.edges).map((edge) => {
    const { id, from, to } = fieldsOf(edge)
    const { blockId, eventId, itemId, groupId } = fieldsOf(from)
    const target = fieldsOf(to)
    return {
      id,
      from: { blockId: groupId, stepId: blockId ?? eventId, itemId },
      to: { blockId: target.groupId, stepId: target.blockId },
    }
  })
  return { blocks: [...starts, ...groups], edges, variables: file.variables, webhooks }
}

const read = (file: unknown) => importFlow(JSON.stringify(file), registry, createCountingIds('new'))

test.each(typebotFiles())('%s is the same flow in the shape that older versions wrote', (name) => {
  const file = JSON.parse(typebotSource(name)) as Fields
  expect(serialiseFlow(read(older(file)).flow)).toBe(serialiseFlow(read(file).flow))
})

test.each(['3', '4', '5', '6', '6.1', undefined])('version %s is known', (version) => {
  const { report } = read({
    version,
    groups: [{ title: 'A', graphCoordinates: { x: 0, y: 0 }, blocks: [{ type: 'start' }] }],
  })
  expect([report.version, report.notes]).toEqual([version ?? '', []])
})

test('a version that is not known yet is read, and said', () => {
  const { flow, report } = read({ version: '7', groups: [{ title: 'A', blocks: [{ type: 'start' }] }] })
  expect(flow.groups).toHaveLength(1)
  expect(report.notes).toContainEqual({
    level: 'warning',
    message: "Version '7' is not known here; versions 3 to 6.1 are. Look at what came of it.",
  })
})

test('an event that is no trigger here is left out, and says what does instead', () => {
  const { flow, report } = read({
    groups: [],
    events: [
      { id: 'e', type: 'start' },
      { id: 'r', type: 'reply' },
      { id: 'x', type: 'constructor' },
    ],
  })
  expect(flow.groups).toHaveLength(1)
  expect(report.notes.map(({ message }) => message)).toEqual(
    expect.arrayContaining([
      "The event 'reply' ran at every reply: add intents for what visitors may say. It is left out.",
      "The event 'constructor' has no counterpart here: add a trigger instead. It is left out.",
    ]),
  )
})

test('what stands beside the flow is noted where it mattered', () => {
  const { report } = read({
    groups: [],
    theme: { general: {} },
    settings: { general: { a: 1 } },
    name: 'Bot',
    unheard: 1,
  })
  expect(report.notes.filter(({ level }) => level === 'info').map(({ message }) => message)).toEqual([
    'Colours and fonts are left out: set them under Appearance.',
    'Settings of the chat are left out: look at Settings.',
    "The setting 'unheard' has no counterpart here and is left out.",
  ])
})

test('a request that is kept beside the blocks finds the block that makes it', () => {
  const { flow } = read({
    groups: [{ title: 'A', blocks: [{ id: 'b', type: 'Webhook', webhookId: 'w', options: {} }] }],
    webhooks: [{ id: 'w', method: 'GET', url: 'https://a.example/x' }],
  })
  expect(flow.groups[0]?.blocks[0]?.data).toMatchObject({ method: 'GET', url: { value: 'https://a.example/x' } })
})

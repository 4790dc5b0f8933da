import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { EngineError } from '../errors'
import { flowFile, serialiseFlow } from './canonical'
import { defineBlock } from './defineBlock'
import { enteredFlows, remapFlows } from './otherFlows'
import { parseFlow, parseFlowFile } from './parseFlow'
import { createRegistry } from './registry'
import { type ChatbotFlows, emptyFlow, type Flow, flowCaps } from './schema'

const visiting = defineBlock({
  kind: 'visiting',
  category: 'logic',
  title: '',
  help: '',
  schema: z.strictObject({ flowId: z.string().nullable() }),
  defaults: () => ({ flowId: null }),
  ports: () => [{ id: 'next' }],
  enters: ({ flowId }) => (flowId === null ? [] : [flowId]),
  remapFlows: ({ flowId }, newId) => ({ flowId: flowId === null ? null : newId(flowId) }),
  *run() {
    return 'next'
  },
})
const registry = createRegistry([visiting])

/** A flow whose blocks enter these others. */
const entering = (...flowIds: (string | null | number)[]): Flow => ({
  ...emptyFlow(),
  groups: [
    {
      id: 'g',
      title: 'Group',
      position: { x: 0, y: 0 },
      blocks: flowIds.map((flowId, index) => ({ id: `b${index}`, kind: 'visiting', version: 0, data: { flowId } })),
    },
  ],
})
const chatbot: ChatbotFlows = {
  main: entering('sales', 'help', null),
  others: [
    { id: 'sales', title: 'Sales', flow: entering('help') },
    { id: 'help', title: 'Help', flow: entering('gone', 'help') },
  ],
}
const refused = (file: object) => {
  try {
    parseFlowFile(JSON.stringify(file), registry)
  } catch (error) {
    return error instanceof EngineError ? `${error.code} ${error.detail}` : String(error)
  }
  return null
}

describe('the file of a chatbot', () => {
  test('holds its flows in their order, and read and written again is the same to the byte', () => {
    const text = serialiseFlow(flowFile(chatbot))
    const read = parseFlowFile(text, registry)
    expect(read).toEqual(chatbot)
    expect(serialiseFlow(flowFile(read))).toBe(text)
    expect(serialiseFlow(JSON.parse(text))).toBe(text)
  })

  test('of one flow is the file of that flow', () => {
    const alone = { main: chatbot.main, others: [] }
    expect(serialiseFlow(flowFile(alone))).toBe(serialiseFlow(chatbot.main))
    expect(parseFlowFile(serialiseFlow(chatbot.main), registry)).toEqual(alone)
  })

  test('is not taken for one flow', () => {
    expect(() => parseFlow(serialiseFlow(flowFile(chatbot)), registry)).toThrow(/flows/)
  })

  test('with what no chatbot may have is refused, and the place is named', () => {
    const file = flowFile(chatbot)
    const [sales, help] = file.flows ?? []
    expect(refused({ ...file, flows: {} })).toMatch(/^FLOW_INVALID flows/)
    expect(refused({ ...file, flows: [sales, { ...sales, title: 'Twice' }] })).toContain(
      "Two flows have the id 'sales'",
    )
    expect(refused({ ...file, flows: [{ ...sales, title: ' ' }] })).toMatch(/flows > .*title/)
    expect(refused({ ...file, flows: [{ ...sales, title: 'x'.repeat(flowCaps.flowTitle + 1) }] })).toMatch(/title/)
    expect(refused({ ...file, flows: [{ ...help, groups: 7 }] })).toMatch(/Flow 'Help': groups/)
    expect(refused({ ...file, flows: [{ ...help, flows: [] }] })).toMatch(/Flow 'Help': .*flows/)
    const many = Array.from({ length: flowCaps.flows + 1 }, (_, index) => ({ ...help, id: `f${index}` }))
    expect(refused({ ...file, flows: many })).toMatch(/^FLOW_INVALID/)
    expect(refused({ ...file, flows: many.slice(1) })).toBeNull()
  })
})

test('the flows that a flow enters are named once each; what a kind can’t digest enters nothing', () => {
  expect(enteredFlows(entering('a', 'b', 'a', null, 7), registry)).toEqual(['a', 'b'])
})

test('new ids of flows go wherever the old ones stood; an id that is not known stays', () => {
  const copy = remapFlows(
    chatbot,
    registry,
    new Map([
      ['sales', 'one'],
      ['help', 'two'],
    ]),
  )
  expect(copy.others.map(({ id, title }) => [id, title])).toEqual([
    ['one', 'Sales'],
    ['two', 'Help'],
  ])
  expect([copy.main, ...copy.others.map(({ flow }) => flow)].map((flow) => enteredFlows(flow, registry))).toEqual([
    ['one', 'two'],
    ['two'],
    ['gone', 'two'],
  ])
})

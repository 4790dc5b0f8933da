import { describe, expect, test } from 'vitest'
import { registry } from '../../blocks/registry'
import { readShared, sharedFiles } from '../../tests/support/shared'
import { typebotSource } from '../../tests/support/typebot'
import { createCountingIds } from '../flow/ids'
import { importFlow } from './importFlow'
import { recognise } from './products'

const refusal = (file: unknown): string => {
  try {
    importFlow(JSON.stringify(file), registry, createCountingIds('new'))
  } catch (error) {
    return (error as Error).message
  }
  return ''
}

const typebot = JSON.parse(typebotSource('questions.json'))

describe('a Typebot file is known by its groups of blocks and its edges', () => {
  test.each([
    ['another version', { ...typebot, version: '9.4' }],
    ['no version', { ...typebot, version: undefined }],
    ['a wrapper of its name', { typebot }],
    ['two wrappers', { data: { typebot } }],
    ['a list of one', [typebot]],
    ['a wrapped text', { typebot: JSON.stringify(typebot) }],
  ])('%s', (_, file) => {
    const { flow, report } = importFlow(JSON.stringify(file), registry, createCountingIds('new'))
    expect(report.product).toBe('typebot')
    expect(flow.groups).toHaveLength(typebot.groups.length + (typebot.events?.length ?? 0))
  })
})

test.each([
  ['n8n', { nodes: [{ name: 'Webhook', type: 'n8n-nodes-base.webhook' }], connections: {} }, 'call its webhook'],
  ['Flowise, from before', { nodes: [{ data: { name: 'chatOpenAI', inputAnchors: [] } }], edges: [] }, 'agentflow'],
  [
    'Dify, without a flow',
    { kind: 'app', app: { mode: 'chat' }, model_config: { pre_prompt: '' } },
    'instructions of an AI answer',
  ],
  ['Langflow', { data: { nodes: [{ data: { node: { template: {} } } }], edges: [] } }, 'AI answer'],
  ['Botpress', { version: '0.0.1', catchAll: {}, startNode: 'entry', nodes: [] }, 'anew'],
  ['Botpress', { version: '1.9', settings: {}, flows: [{ startNode: 'nd-1', nodes: [], links: [] }] }, 'anew'],
  ['Voiceflow', { _version: '3', version: { name: 'a' }, project: {}, diagrams: {} }, 'anew'],
  ['Rasa', { version: '3.1', nlu: [{ intent: 'greet', examples: '- hi' }] }, 'intent block'],
  ['Landbot', { 38: { name: 'Hi', function: '__send_message__', next: { success: '5' }, left: 1, top: 1 } }, 'anew'],
  ['ManyChat', { version: 'v2', content: { messages: [] } }, 'exports no flows'],
  ['Chatfuel', { messages: [{ text: 'Hi' }], redirect_to_blocks: [] }, 'exports no flows'],
  ['another drawing program', { nodes: [{ id: 'a', data: {} }], edges: [] }, 'anew'],
])('a file of %s is named, with what to do instead', (name, file, instead) => {
  const message = refusal(file)
  expect(message).toContain(`It is a file of ${name}`)
  expect(message).toContain(instead)
  // one sentence for what it is, one for what to do
  expect(message.split('. ').length).toBeLessThanOrEqual(4)
})

test('the YAML of Rasa is named too', () => {
  expect(() => importFlow('version: "3.1"\nstories:\n- story: a\n', registry, createCountingIds('n'))).toThrow(
    'a file of Rasa',
  )
})

test.skipIf(sharedFiles('flows/typebot', '.json').length === 0)(
  'every file of other people is of the product that its folder says',
  () => {
    for (const name of sharedFiles('flows/typebot', '.json'))
      expect(recognise(JSON.parse(readShared(`flows/typebot/${name}`)))?.product).toBe('typebot')
    for (const name of sharedFiles('flows/flowise', '.json'))
      expect(recognise(JSON.parse(readShared(`flows/flowise/${name}`)))?.product).toBe('flowise')
  },
)

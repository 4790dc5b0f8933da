import { expect, test } from 'vitest'
import { createCountingIds } from '../../engine/flow/ids'
import { importTypebot } from '../../engine/interop/typebot/importTypebot'
import { importBlock, typebotFiles, typebotSource } from '../../tests/support/typebot'
import { registry } from '../registry'

const ask = (options: Record<string, unknown>, type = 'openai') =>
  importBlock({ type, options: { action: 'Create chat completion', credentialsId: 'c', ...options } }, 'Name')

const message = (role: string, content: string) => ({ role, content })
const still = (value: string) => ({ type: 'static', value })

test('system messages become instructions, the last one of the visitor the question, the mapping its variable', () => {
  const { kind, data, variable, notes } = ask({
    messages: [message('system', 'You help.'), message('user', 'What is {{Name}}?')],
    responseMapping: [{ item: 'Message content', variableId: 'v-Name' }],
  })
  expect(kind).toBe('ai-answer')
  expect(data).toMatchObject({
    source: 'model',
    instructions: still('You help.'),
    question: { parts: [{ text: 'What is ' }, { variable_id: variable }, { text: '?' }] },
    saveTo: variable,
    say: false,
  })
  expect(notes).toEqual([])
})

test('a dialogue is the conversation itself, and what was said before it stays as an example', () => {
  const { data, notes } = ask({
    messages: [
      message('system', 'You sell.'),
      message('user', 'Hi'),
      message('assistant', 'Which one?'),
      { role: 'Dialogue', startsBy: 'assistant', dialogueVariableId: 'v-Name' },
    ],
    responseMapping: [{ variableId: 'v-Name' }],
  })
  expect(data.question).toEqual(still(''))
  expect(data.instructions).toEqual(still('You sell.\n\nThis was said before:\nVisitor: Hi\nYou: Which one?'))
  expect(notes).toEqual(['Messages before the question became a part of the instructions.'])
})

test('a system message alone was all that the model was asked', () => {
  expect(ask({ messages: [message('system', 'Count to ten.')] }).data).toMatchObject({
    question: still('Count to ten.'),
    instructions: still(''),
    say: true,
  })
})

test.each([
  ['anthropic', { action: 'Create Chat Message', systemMessage: 'You help.', messages: [message('user', 'Q')] }],
  ['dify-ai', { action: 'Create Chat Message', query: 'Q', systemMessage: 'You help.' }],
  ['mistral', { messages: [message('system', 'You help.'), message('user', 'Q')] }],
  [
    'OpenAI',
    {
      action: undefined,
      task: 'Create chat completion',
      messages: [message('system', 'You help.'), message('user', 'Q')],
    },
  ],
])('%s asks the same', (type, options) => {
  const { kind, data } = ask(options, type)
  expect(kind).toBe('ai-answer')
  expect(data).toMatchObject({ question: still('Q'), instructions: still('You help.') })
})

test('what is not carried over is said', () => {
  const { data, notes } = ask({
    model: 'gpt-4',
    advancedSettings: { temperature: 1.35 },
    messages: [message('user', 'Q')],
    responseMapping: [{ item: 'Total tokens' }],
    tools: [{ name: 'x' }],
  })
  expect(data).toMatchObject({ temperature: 1, saveTo: null, say: true })
  expect(notes).toEqual([
    "The setting 'tools' has no counterpart here and is left out.",
    "The model 'gpt-4' is not carried over: the chatbot's model answers.",
    'The temperature 1.35 became 1.',
    'Of what came back only the answer can be kept, not Total tokens.',
  ])
})

test('actions that are no answers stay placeholders that say so', () => {
  const { kind, data } = importBlock({ type: 'openai', options: { action: 'Create speech', input: 'x' } })
  expect(kind).toBe('placeholder')
  expect(data.reason).toBe("An AI answer can't do what 'Create speech' does.")
})

test("every question to a model in other people's flows becomes a valid block", () => {
  const blocks = typebotFiles().flatMap((name) => {
    const { flow } = importTypebot(JSON.parse(typebotSource(name)), registry, createCountingIds('new'))
    return flow.groups.flatMap((group) => group.blocks.filter(({ kind }) => kind === 'ai-answer'))
  })
  expect(blocks).not.toEqual([])
  for (const { data } of blocks) expect(registry.get('ai-answer').schema.safeParse(data).error).toBeUndefined()
})

import { expect, test } from 'vitest'
import type { Reply } from '../../engine/flow/effects'
import { createProgram } from '../../engine/run/program'
import { replay } from '../../engine/run/recording'
import type { Json } from '../../engine/values/json'
import { chose, flowAround, shown, stillRuntime, typed } from '../../tests/support/conversations'
import { registry } from '../registry'
import { aiAnswer } from './block'
import { type AiAnswerData, aiAnswerDefaults, aiAnswerSchema } from './schema'

const fromVariable = { type: 'dynamic' as const, parts: [{ type: 'variable' as const, variable_id: 'v' }] }
const found = { ok: true, found: true, text: 'First.\nSecond.', sources: [] }

/** The effects' requests, what is said, and the port that the block leaves by. */
function run(data: Partial<AiAnswerData>, answer: Json) {
  const requests: Json[] = []
  const flow = flowAround('ai-answer', { ...aiAnswerDefaults(), ...data }, { v: 'Ada', answer: null, sources: null })
  const { turns } = replay(createProgram(flow, registry), { replies: [] }, (effect) => {
    if (effect.type !== 'call') return stillRuntime(effect)
    requests.push([effect.service, effect.request])
    return answer
  })
  const [turn] = turns
  const step = turn?.trace.find(({ blockId }) => blockId === 'subject')
  const messages = (turn?.messages ?? []).map(({ blockId: _, ...message }) => message)
  return { requests, messages, port: step?.port, note: step?.note, variables: turn?.variables }
}

test('asks with everything rendered, says the answer and keeps it', () => {
  const data = { source: 'model', question: fromVariable, instructions: fromVariable, saveTo: 'answer' } as const
  const { requests, messages, port, variables } = run(data, found)
  expect(requests).toEqual([
    [
      'ai.answer',
      {
        source: 'model',
        question: 'Ada',
        instructions: 'Ada',
        language: null,
        temperature: null,
      },
    ],
  ])
  expect(messages).toEqual([
    {
      kind: 'text',
      text: [
        { type: 'paragraph', children: [{ text: 'First.' }] },
        { type: 'paragraph', children: [{ text: 'Second.' }] },
      ],
      ai: { response_source: 'model', stream: true, answer_not_found: false },
    },
  ])
  expect(port).toBe('next')
  expect(variables).toMatchObject({ answer: 'First.\nSecond.' })
})

test('an answer with sources is said with them, and they can be kept', () => {
  const sources = [{ title: 'Prices', url: 'https://example.com/prices' }]
  const { messages, variables } = run({ saveSources: 'sources' }, { ...found, text: '20 €', sources })
  const ai = { response_source: 'knowledge', stream: true, answer_not_found: false }
  const text = [{ type: 'paragraph', children: [{ text: '20 €' }] }]
  expect(messages).toEqual([{ kind: 'answer', text, ai, sources }])
  expect(variables).toMatchObject({ sources })
})

test('what a model writes in Markdown is said as rich text, and an editor is told what is odd about it', () => {
  const answer = { ...found, text: 'It is **free** [1].', note: 'Look at it.' }
  const { messages, port, note } = run({}, answer)
  expect(messages).toEqual([
    {
      kind: 'text',
      text: [{ type: 'paragraph', children: [{ text: 'It is ' }, { text: 'free', bold: true }, { text: ' [1].' }] }],
      ai: { response_source: 'knowledge', stream: true, answer_not_found: false },
    },
  ])
  expect({ port, note }).toEqual({ port: 'next', note: 'Look at it.' })
})

test('where no answer can be given now, the visitor is told, and the way leads to not found', () => {
  const answer = { ok: true, found: false, text: 'Not now.', sources: [], note: 'No credits.' }
  const text = [{ type: 'paragraph', children: [{ text: 'Not now.' }] }]
  expect(run({ saveTo: 'answer' }, answer)).toMatchObject({
    messages: [{ kind: 'text', text, ai: { response_source: 'knowledge', stream: true, answer_not_found: true } }],
    port: 'not-found',
    note: 'No credits.',
    variables: { answer: null },
  })
  expect(run({ say: false, saveTo: 'answer' }, answer).messages).toEqual([])
})

test.each([
  ['a button', chose('2'), 'b'],
  ['its words', typed('payment'), 'b'],
])('the nearest questions are offered where nothing is found, and one is answered by %s', (_, reply, chosen) => {
  const { asked, requests, said, port } = offering(
    { saveTo: 'answer' },
    [reply],
    [near, { ...found, text: 'By card.' }],
  )
  expect(asked).toMatchObject({
    input: 'choice',
    typing: true,
    options: [{ label: 'Delivery' }, { label: 'Payment' }, { id: 'none', label: 'None' }],
  })
  expect(requests).toMatchObject([{ suggest: true }, { suggest: true, chosen }])
  expect({ said, port }).toEqual({ said: ['Did you mean …', 'By card.'], port: 'next' })
})

test('who wants none of them goes on where nothing was found, and another question is answered', () => {
  const refused = offering({}, [chose('none')], [near])
  expect({ said: refused.said, port: refused.port }).toEqual({ said: ['Did you mean …'], port: 'not-found' })
  const { requests, said, port } = offering({}, [typed('Why?'), chose('none')], [near, near])
  expect(requests).toMatchObject([{ question: '' }, { question: 'Why?' }])
  expect({ said, port }).toEqual({ said: ['Did you mean …', 'Did you mean …'], port: 'not-found' })
})

test('nothing is offered where it is switched off, not said, or no source is asked', () => {
  for (const data of [{ suggest: false }, { say: false, saveTo: 'answer' }, { source: 'model' }] as const)
    expect(offering(data, [], [{ ...found, found: false, text: '' }]).requests).not.toMatchObject([{ suggest: true }])
})

const near = {
  ...{ ok: true, found: false, text: 'Did you mean …', sources: [] },
  suggestions: {
    none: 'None',
    offers: [
      { id: 'a', label: 'Delivery' },
      { id: 'b', label: 'Payment' },
    ],
  },
}

/** A conversation with the answers that the calls get one after the other. */
function offering(data: Partial<AiAnswerData>, replies: Reply[], answers: Json[]) {
  const requests: Json[] = []
  const flow = flowAround('ai-answer', { ...aiAnswerDefaults(), ...data }, { answer: null })
  const { turns } = replay(createProgram(flow, registry), { replies }, (effect) => {
    if (effect.type !== 'call') return stillRuntime(effect)
    requests.push(effect.request)
    return answers[requests.length - 1] ?? null
  })
  const steps = turns.flatMap(({ trace }) => trace).filter(({ blockId }) => blockId === 'subject')
  const said = turns.flatMap(({ messages }) => messages).map(shown)
  return { requests, said, asked: turns[0]?.session.request, port: steps.at(-1)?.port }
}

test('what shall not be said is only kept', () => {
  const { requests, messages, port } = run({ source: 'model', say: false, saveTo: 'answer' }, found)
  expect({ messages, port }).toEqual({ messages: [], port: 'next' })
  // nor is it shown while it is written
  expect(requests).toMatchObject([['ai.answer', { stream: false }]])
})

test.each<[Json, string]>([
  [{ ok: true, found: false, text: '', sources: [], note: 'No model.' }, 'No model.'],
  [{ ok: false, error: 'The key was refused.' }, 'The key was refused.'],
  ['nothing like it', 'The call failed.'],
  [{ ok: true }, 'The call failed.'],
])('the answer %j leads to not found, which the editor is told', (answer, note) => {
  expect(run({ saveTo: 'answer' }, answer)).toMatchObject({
    port: 'not-found',
    messages: [],
    note,
    variables: { answer: null },
  })
})

test('the temperature has one decimal from 0 to 1, the language is of the list, instructions have their cap', () => {
  const issues = (data: object) =>
    aiAnswerSchema.safeParse({ ...aiAnswerDefaults(), ...data }).error?.issues.map(({ message }) => message)
  for (let tenth = 0; tenth <= 10; tenth++) expect(issues({ temperature: tenth / 10 })).toBeUndefined()
  expect(issues({ temperature: null, language: null, model: null })).toBeUndefined()
  expect(issues({ model: 0 })).toHaveLength(1)
  expect(issues({ temperature: 0.25 })).toEqual(['Use at most one decimal'])
  for (const temperature of [-0.1, 1.1]) expect(issues({ temperature })).toEqual(['Must be from 0 to 1'])
  expect(issues({ language: 'Klingon' })).toHaveLength(1)
  expect(issues({ instructions: { type: 'static', value: 'x'.repeat(20_001) } })).toEqual([
    'Must not exceed 20000 characters',
  ])
})

test('an answer that is neither said nor kept is pointed out', () => {
  const problems = (data: Partial<AiAnswerData>) => aiAnswer.problems({ ...aiAnswerDefaults(), ...data })
  expect(problems({ source: 'model', say: false })).toMatchObject([{ path: 'saveTo' }])
  expect(problems({ source: 'model' })).toEqual([])
  expect(problems({ source: 'model', say: false, saveTo: 'v' })).toEqual([])
  expect(problems({ say: false })).toMatchObject([{ path: 'saveTo' }])
  expect(problems({ say: false, saveSources: 'v' })).toEqual([])
})

test('what actions show stands below the answer: links as a card, a form that is asked until it is right and stored', () => {
  const parts: Json[] = [
    { type: 'buttons', text: 'More', buttons: [{ label: 'Prices', url: 'https://example.com' }] },
    { type: 'booking', label: 'Book', url: 'https://calendly.com/ada/30min' },
    { type: 'hand-off', message: 'One moment.' },
    {
      type: 'lead-form',
      title: 'Your details',
      submit_label: 'Send',
      fields: [
        { field: 'name', required: true, value: 'Ada' },
        { field: 'email', required: true, value: '' },
      ],
      thanks: 'Thanks!',
    },
  ]
  const requests: Json[] = []
  const flow = flowAround('ai-answer', { ...aiAnswerDefaults(), saveTo: 'answer' }, { answer: null, degrees: null })
  const replies = [
    { type: 'form' as const, values: { name: 'Ada', email: 'nobody' } },
    { type: 'form' as const, values: { name: 'Ada', email: 'ada@example.org' } },
  ]
  const { turns } = replay(createProgram(flow, registry), { replies }, (effect) => {
    if (effect.type !== 'call') return stillRuntime(effect)
    requests.push([effect.service, effect.request])
    const answer = { ...found, text: 'Sure.', parts, saved: { degrees: 21 } }
    // optional fields are missing in some parts, which the type Json does not allow
    return effect.service === 'contacts' ? { ok: true } : (answer as unknown as Json)
  })
  const said = turns.flatMap(({ messages }) => messages.map(({ blockId: _, ...message }) => message))
  expect(said.map((message) => message.kind)).toEqual(['text', 'carousel', 'carousel', 'text', 'text', 'text'])
  expect(said[1]).toMatchObject({
    items: [{ title: 'More', buttons: [{ label: 'Prices', url: 'https://example.com' }] }],
  })
  const asked = turns.map(({ session }) => session.request)
  expect(asked[0]).toMatchObject({ input: 'form', submitLabel: 'Send', fields: [{ value: 'Ada' }, { id: 'email' }] })
  expect(asked[1]).toMatchObject({ fields: [{}, { value: 'nobody', problem: 'Enter a valid email address' }] })
  // the block notifies people: the model has only requested it
  expect(requests[1]).toEqual(['hand-off', { team: '', note: '' }])
  expect(requests.slice(2).filter((one) => (one as string[])[0] !== 'hand-off')).toEqual([
    [
      'contacts',
      {
        action: 'create',
        key: { field: 'email', value: 'ada@example.org' },
        fields: { name: 'Ada', email: 'ada@example.org' },
        custom: {},
        onDuplicate: 'update',
      },
    ],
  ])
  expect(turns.at(-1)?.variables).toMatchObject({ degrees: 21 })
})

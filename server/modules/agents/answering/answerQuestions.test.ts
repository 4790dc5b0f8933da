import { expect, test } from 'vitest'
import type { Model } from '../../../contracts/ai'
import type { RootDb } from '../../../platform/database/database'
import type { Found, Knowledge, Passage, Zone } from '../../knowledge/knowledge'
import { BUILT_IN_MODEL, type OpenModel } from '../../models/models'
import type { AgentActions } from '../actions/createAgentActions'
import type { AnswerRequest } from './answering'
import { answerQuestions, type Credits, type Parts } from './answerQuestions'

// What a tester reads of an answer, without a database: of searches, of what was taken out, of actions.

const SMALL = 2
const place = { projectId: '1', chatbotId: '2' }
const passage: Passage = {
  id: '1',
  source: { gid: 's', kind: 'text', title: 'Delivery', url: null },
  heading: '',
  text: 'We deliver within three days.',
  score: 0.9,
}

/** The only row that is read: the chatbot's settings. */
function settingsOf(modelId: number): RootDb {
  const row = {
    ...{ ai_model_id: modelId, ai_fallback_model_id: null, ai_language: 'English', ai_temperature: 0, hide_urls: [] },
    ...{ name: 'Bot', instructions: '', business_name: 'Shop', business_description: '' },
    ...{ ai_suggestions: true, web_language: null },
  }
  const query = { leftJoin: () => query, select: () => query, where: () => query, executeTakeFirst: async () => row }
  return { forProject: () => ({ selectFrom: () => query }) } as unknown as RootDb
}

/** A model that writes a text. */
const writes = (text: string): OpenModel => ({
  model: { id: SMALL, name: 'Small', credits: 1, supports_actions: false } as Model,
  write: async () => ({ ok: false, error: 'not asked' }),
  fill: async () => ({ ok: false, error: 'not asked' }),
  async *stream() {
    yield { type: 'text', delta: text }
    yield { type: 'end', text, tokens: null }
  },
})

interface Given {
  /** the text of the chatbot's model; absent: it has the built-in one */
  model?: string
  /** how sure a search is of each question; others: not at all */
  zones?: Record<string, Zone>
  actions?: Pick<AgentActions, 'toolsFor'>
}

/** Asks, and returns the final answer with the questions that were searched for and the reserved credits. */
async function ask(given: Given, request: Partial<AnswerRequest> = {}, how: 'answer' | 'talk' = 'answer') {
  const { model, zones = {}, actions } = given
  const searches: string[] = []
  const reserved: number[] = []
  const find = async (_: unknown, question: string): Promise<Found> => {
    searches.push(question)
    return { passages: [passage], zone: zones[question] ?? 'unsure', confidence: 0.874, language: 'en' }
  }
  const extract = () => ({ text: 'We deliver within three days. [1]', cites: [0] })
  const credits: Credits = {
    async reserve({ amount }) {
      reserved.push(amount)
      return { ok: true }
    },
    async settle() {},
  }
  const parts: Parts = {
    db: settingsOf(model === undefined ? BUILT_IN_MODEL : SMALL),
    knowledge: { find, extract, language: async () => 'en' } as unknown as Knowledge,
    models: {
      catalogue: async () => [],
      open: async (_, id) => (id === SMALL && model !== undefined ? writes(model) : null),
      embedder: async () => null,
    },
    credits,
    ...(actions && { actions }),
  }
  const all = { place, question: 'How long does a delivery take?', before: [], key: 'k', visitor: null, ...request }
  for await (const part of answerQuestions(parts)[how](all))
    if (part.type === 'answer') return { ...part.answer, searches, reserved, failed: part.failed }
  throw new Error('no answer')
}

const detailsOf = (name: string, { debug }: Awaited<ReturnType<typeof ask>>) =>
  debug.steps.filter((step) => step.name === name).map(({ detail }) => detail)

const before = [{ by: 'visitor', text: 'Do you deliver to islands?' }] as const
const joined = 'Do you deliver to islands? How long?'
test.each<[says: string, zones: Record<string, Zone>, searches: string[], searched: string]>([
  ['as it is, where that is sure', { 'How long?': 'confident' }, ['How long?'], 'How long?'],
  ['with the one before, where that is sure', { [joined]: 'confident' }, ['How long?', joined], joined],
  ['as it is, where neither is', {}, ['How long?', joined], 'How long?'],
])('a short question is searched for %s', async (_, zones, searches, searched) => {
  const answer = await ask({ zones }, { question: 'How long?', before })
  expect([answer.searches, answer.debug.searched]).toEqual([searches, searched])
})

test('the tester reads of each search what it found and how sure it is, in per cent', async () => {
  const answer = await ask({})
  expect(detailsOf('search', answer)).toEqual(['1 passages for “How long does a delivery take?”: unsure, 87 %'])
  expect(answer.searches).toHaveLength(1)
})

test.each<[says: string, takenOut: string[]]>([
  ['Three days [1].', []],
  ['Three days [1][9].', ['Taken out: numbers of passages that are not there (1)']],
  ['Three days [1] ![map](https://x.example/a.png).', ['Taken out: pictures (1)']],
  [
    'Three days [1], see https://x.example/a and https://x.example/b.',
    ['Taken out: links to addresses that are not in the sources, or hidden (2)'],
  ],
])('of %j the tester reads what was taken out, and of nothing else: %j', async (model, takenOut) => {
  const answer = await ask({ model })
  expect(answer).toMatchObject({ found: true, text: expect.stringContaining('Three days [1]'), reserved: [1] })
  expect(detailsOf('check', answer)).toEqual(takenOut)
})

test('a model that can’t use the chatbot’s actions answers without them, and the editor is told', async () => {
  const actions = { toolsFor: async () => ({ tools: {}, rounds: 1, parts: [], saved: [], calls: 0 }) }
  const request: Partial<AnswerRequest> = { actions: { talk: null, writes: 'simulated' } as never }
  const given: Given = { model: 'Three days [1].', actions: actions as never }
  const answer = await ask(given, request)
  expect(answer.debug.note).toBe('Small can’t use actions: choose another model in the AI settings.')
  // one that has none is told nothing
  expect((await ask(given)).debug.note).toBeNull()
})

test('who talks without a model is told to choose one, and with one it talks', async () => {
  const silent = await ask({}, {}, 'talk')
  expect(silent).toMatchObject({ text: '', found: false, failed: false, reserved: [] })
  expect(silent.debug.note).toContain('Choose one in the AI settings')
  expect(await ask({ model: 'Hello!' }, {}, 'talk')).toMatchObject({ text: 'Hello!', found: true, reserved: [1] })
})

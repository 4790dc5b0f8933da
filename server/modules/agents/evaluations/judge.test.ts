import { expect, test } from 'vitest'
import type { ChatAnswer, RecordedCall } from '../../../contracts/answers'
import { type Expected, judge } from './judge'

const passageOf = (gid: string) => ({
  source: { gid, kind: 'faq' as const, title: gid, url: null },
  heading: '',
  text: '',
  score: 1,
})
const answerOf = (
  text: string,
  more: { found?: boolean; cited?: string[]; passages?: string[]; note?: string; used?: RecordedCall[] } = {},
) =>
  ({
    text,
    found: more.found ?? true,
    citations: (more.cited ?? []).map((source, at) => ({ number: at + 1, title: source, url: null, source, text: '' })),
    parts: [],
    debug: {
      model: { id: 1, name: 'Built-in' },
      temperature: 0,
      searched: '',
      passages: (more.passages ?? []).map(passageOf),
      zone: 'confident',
      confidence: 1,
      prompt: null,
      tokens: null,
      credits: 0,
      ms: 1,
      steps: (more.used ?? []).map((call) => ({ name: call.name, detail: '', ms: 1, ok: call.ok, call })),
      note: more.note ?? null,
    },
  }) satisfies ChatAnswer
const right = (expected: Partial<Expected>, answer: ChatAnswer, failed = false) =>
  judge({ words: [], source: null, unknown: false, actions: [], ...expected }, { answer, failed })
const faq = (isThere = true) => ({ gid: 'faq', title: 'Returns', isThere })

test('words count in any case, through citations and marks', () => {
  const answer = answerOf('You have **30** days [1]\nto SEND it back[2].')
  expect(right({ words: ['30 days', 'send  it back.'] }, answer)).toMatchObject({ passed: true, problem: null })
  expect(right({ words: ['30 days', 'refund', 'label'] }, answer)).toMatchObject({
    passed: false,
    problem: 'Not in the answer: “refund”, “label”.',
  })
})

test('the expected source has to be cited; its place among the passages is told either way', () => {
  const passages = ['other', 'faq', 'faq']
  expect(right({ source: faq() }, answerOf('Yes.', { cited: ['faq'], passages }))).toMatchObject({
    passed: true,
    rank: 2,
  })
  expect(right({ source: faq() }, answerOf('Yes.', { cited: ['other'], passages }))).toEqual({
    passed: false,
    problem: 'The source “Returns” was found at place 2, but not cited.',
    answer: 'Yes.',
    rank: 2,
  })
  expect(right({ source: faq() }, answerOf('Yes.', { cited: ['other'], passages: ['other'] }))).toMatchObject({
    problem: 'The source “Returns” was not found for this question.',
    rank: null,
  })
  expect(right({ source: faq(false) }, answerOf('Yes.')).problem).toMatch(/no longer there/)
})

test('what is not in the sources has to stay unanswered, and the rest has not', () => {
  const silence = answerOf("I don't know.", { found: false })
  expect(right({ unknown: true }, silence).passed).toBe(true)
  expect(right({ unknown: true }, answerOf('Certainly.'))).toMatchObject({
    passed: false,
    problem: 'It answered, although this is not in the sources.',
  })
  expect(right({}, silence)).toMatchObject({ passed: false, problem: 'It said that it does not know.' })
})

test('an answer that failed is not taken for not knowing', () => {
  const answer = answerOf('Sorry, not now.', { found: false, note: 'The key is wrong.' })
  expect(right({ unknown: true }, answer, true)).toMatchObject({
    passed: false,
    problem: 'It could not answer. The key is wrong.',
  })
})

const used = (name: string, input: object, ok = true): RecordedCall => ({
  name,
  input: input as RecordedCall['input'],
  answer: null,
  ok,
  parts: [],
})

test.each<[string, RecordedCall[], RecordedCall[], string | null]>([
  ['as it was kept', [used('Order', { number: '4711' })], [used('Order', { number: 4711, note: '' })], null],
  ['in other words', [used('Mail', { text: 'It is broken' })], [used('Mail', { text: 'The lamp broke' })], null],
  [
    'with other values',
    [used('Order', { number: '4711' })],
    [used('Order', { number: '4712' })],
    'It used “Order” with other values than when this was kept: {"number":"4712"}',
  ],
  ['too', [], [used('Mail', { to: 'a' })], 'It used “Mail”, for which this test has no answer: {"to":"a"}'],
  ['not at all', [used('Order', {}), used('Mail', {})], [used('Order', {})], 'It did not use “Mail”.'],
  ['not again, after it failed', [used('Order', {}, false)], [], null],
])('an action that is used %s', (_case, actions, now, problem) => {
  expect(right({ actions }, answerOf('Done.', { used: now })).problem).toBe(problem)
})

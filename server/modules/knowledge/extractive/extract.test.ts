import { expect, test } from 'vitest'
import type { Found, Passage } from '../knowledge'
import { extract } from './extract'

const passage = (quote: string | null): Passage => ({
  ...{ id: '1', heading: '', text: quote ?? 'Long.', score: 1, quote },
  source: { gid: 'a', kind: 'text', title: '', url: null },
})
const said = (zone: Found['zone'], ...quotes: (string | null)[]) =>
  extract({ passages: quotes.map(passage), zone, confidence: 0.5, language: 'en' }, 'Where is the boat?')

test('where it is not sure, up to three short sections are offered together, each with its number', () => {
  expect(said('unsure', 'At the quay.', 'In the shed.', 'On the lake.', 'At sea.')).toEqual({
    text: 'At the quay. [1]\n\nIn the shed. [2]\n\nOn the lake. [3]',
    cites: [0, 1, 2],
  })
})

test('what would make the offer long is left out with all that follows, and so is a section without a short text', () => {
  const long = 'It is far away. '.repeat(60).trim()
  expect(said('unsure', 'At the quay.', long, 'On the lake.')?.cites).toEqual([0])
  expect(said('unsure', long, 'At the quay.')).toEqual({ text: `${long} [1]`, cites: [0] })
  expect(said('unsure', 'At the quay.', null, 'On the lake.')?.cites).toEqual([0])
})

test('an answer that is sure is one section', () => {
  expect(said('confident', 'At the quay.', 'In the shed.')?.cites).toEqual([0])
  expect(said('unknown', 'At the quay.')).toBeNull()
})

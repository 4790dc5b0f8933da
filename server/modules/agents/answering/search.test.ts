import { expect, test } from 'vitest'
import type { Found, Knowledge, Zone } from '../../knowledge/knowledge'
import type { AnswerContext } from './answerContext'
import { search } from './search'

/** Searches after one question, with a knowledge base that is as sure of each text as it is said here. */
async function searched(asked: string, question: string, zones: Record<string, Zone>): Promise<string | undefined> {
  const knowledge: Pick<Knowledge, 'find'> = {
    find: async (_, text): Promise<Found> => ({
      passages: [],
      zone: zones[text] ?? 'unknown',
      confidence: 0,
      language: 'en',
    }),
  }
  const context = { chosen: { models: [] }, steps: [] } as unknown as AnswerContext
  const place = { projectId: '1', chatbotId: '1' }
  await search(knowledge as Knowledge, { place, question, before: [{ by: 'visitor', text: asked }] }, context)
  return context.searched
}

const PRICE = 'How much is shipping to France?'

test('a question that refers back stays with the one before, though alone it would find something else', async () => {
  const both = `${PRICE} and to the states?`
  expect(await searched(PRICE, 'and to the states?', { [both]: 'unsure', 'and to the states?': 'confident' })).toBe(
    both,
  )
})

test('where both together find nothing, the question alone may', async () => {
  expect(await searched(PRICE, 'and do you repair bikes?', { 'and do you repair bikes?': 'unsure' })).toBe(
    'and do you repair bikes?',
  )
})

test('a short question of its own is joined to the one before only where it finds less alone', async () => {
  const both = `${PRICE} spare tubes`
  expect(await searched(PRICE, 'spare tubes', { 'spare tubes': 'unsure', [both]: 'unsure' })).toBe('spare tubes')
  expect(await searched(PRICE, 'spare tubes', { [both]: 'unsure' })).toBe(both)
})

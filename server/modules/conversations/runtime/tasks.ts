import type { IntentExamples } from '../../../../engine/intents/trainIntents'
import { defineTask } from '../../../platform/workers/defineTask'

export const trainIntents = defineTask('trainIntents', async () => {
  const { trainIntents: train } = await import('../../../../engine/intents/trainIntents')
  const { loadFindMeaning } = await import('../../knowledge/meaning/findMeaning')
  const find = await loadFindMeaning()
  return (intents: readonly IntentExamples[]) => train(intents, find)
})

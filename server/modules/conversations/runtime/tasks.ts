import { defineTask } from '../../../platform/workers/defineTask'

export const trainIntents = defineTask(
  'trainIntents',
  async () => (await import('../../../../engine/intents/trainIntents')).trainIntents,
)

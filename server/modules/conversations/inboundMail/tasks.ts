import { defineTask } from '../../../platform/workers/defineTask'

export const readMailSource = defineTask(
  'readMailSource',
  async () => (await import('./readMailSource')).readMailSource,
)

import { defineTask } from '../../platform/workers/defineTask'

export const readSite = defineTask('readSite', async () => (await import('./website/readSite')).readSite)

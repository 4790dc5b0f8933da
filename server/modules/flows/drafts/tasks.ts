import { defineTask } from '../../../platform/workers/defineTask'

export const workOnDraft = defineTask('workOnDraft', async () => (await import('./draftWork')).workOnDraft)

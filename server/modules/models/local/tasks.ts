import { defineTask } from '../../../platform/workers/defineTask'

export const packModel = defineTask('packModel', async () => (await import('./packModel')).packModel)
export const embedTexts = defineTask('embedTexts', async () => (await import('./embedTexts')).embedTexts)

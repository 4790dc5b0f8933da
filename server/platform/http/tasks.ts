import { defineTask } from '../workers/defineTask'

export const parseJson = defineTask('parseJson', async () => (await import('./parseJson')).parseJson)

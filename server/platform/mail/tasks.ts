import { defineTask } from '../workers/defineTask'

export const renderMail = defineTask('renderMail', async () => (await import('./renderBody')).renderBody)

import { defineTask } from '../../platform/workers/defineTask'
import type { redactAll } from './redact'

export const redactTexts = defineTask<Parameters<typeof redactAll>[0], ReturnType<typeof redactAll>>(
  'redactTexts',
  async () => (await import('./redact')).redactAll,
)

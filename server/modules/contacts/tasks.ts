import { defineTask } from '../../platform/workers/defineTask'
import type { parseContactsCsv } from './imports/parseContactsCsv'

export const readContactsCsv = defineTask<Uint8Array, ReturnType<typeof parseContactsCsv>>(
  'readContactsCsv',
  async () => (await import('./imports/parseContactsCsv')).parseContactsCsv,
)

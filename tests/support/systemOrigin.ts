import type { EventContext } from '../../server/platform/events/defineEvent'

/** What events say of something that no call does. */
export const systemOrigin = (projectId: string): EventContext => ({
  projectId,
  by: { actor: 'system' },
  correlation: 'test',
  at: new Date(),
})

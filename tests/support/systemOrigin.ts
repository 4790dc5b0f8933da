import type { EventContext } from '../../server/platform/events/defineEvent'

/** The event origin of something that no call causes. */
export const systemOrigin = (projectId: string): EventContext => ({
  projectId,
  by: { actor: 'system' },
  correlation: 'test',
  at: new Date(),
})

import type { NotificationEntry } from '../../server/contracts/personalNotifications'

/** What the first screen does without. */
export const lazily = {
  /** Shows a new notification, and plays its sound if the account wants that. */
  announce: async (pgid: string, entry: NotificationEntry): Promise<void> => {
    const { announce } = await import('./announce')
    await announce(pgid, entry)
  },
}

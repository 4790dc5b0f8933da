import { z } from 'zod'
import { defineJob } from '../../platform/jobs/defineJob'

const toOne = z.strictObject({ user: z.string() })

/** Mails a member what is due and not seen yet, as one mail. */
export const mailNotifications = defineJob('mail-notifications', toOne)
/** Pushes it to the member's browsers. */
export const pushNotifications = defineJob('push-notifications', toOne)
/** Looks whether a visitor still waits for a person; `since`: the event that began it. */
export const checkWaiting = defineJob('check-waiting', z.strictObject({ conversation: z.string(), since: z.string() }))
/** Mails the project's addresses about a new contact or conversation. */
export const mailNotice = defineJob(
  'mail-notice',
  z.strictObject({
    about: z.enum(['new_contact', 'new_conversation']),
    row: z.string(),
    cause: z.string(),
  }),
)

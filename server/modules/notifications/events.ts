import { z } from 'zod'
import { defineEvent } from '../../platform/events/defineEvent'

/** Which mails a project sends to its own people; `fields`: which of the settings. */
export const notificationsChanged = defineEvent(
  'notifications.changed',
  z.strictObject({ fields: z.array(z.string()) }),
)

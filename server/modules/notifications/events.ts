import { z } from 'zod'
import { defineEvent } from '../../platform/events/defineEvent'

/** Which mails a project sends to its members; `fields`: the changed settings. */
export const notificationsChanged = defineEvent(
  'notifications.changed',
  z.strictObject({ fields: z.array(z.string()) }),
)

/** A member changed what they want to be told of: the actor. */
export const notificationSettingsChanged = defineEvent('notification_settings.changed', z.strictObject({}))

import { z } from 'zod'
import { defineEvent } from '../../platform/events/defineEvent'

const chatbot = z.strictObject({ chatbot: z.string() })

/** `screen`: which of the settings were saved. */
export const webSettingsChanged = defineEvent('web_settings.changed', chatbot.extend({ screen: z.string() }))
/** The chatbot's secret that signs visitors' ids is another from now on. */
export const identitySecretMade = defineEvent('identity_secret.made', chatbot)
export const lookPublished = defineEvent('look.published', chatbot.extend({ revision: z.int() }))
/**
 * The project has another plan, which decides what visitors see. Written by the database, whoever changes it (migration
 * 0093).
 */
export const planChanged = defineEvent('plan.changed', z.strictObject({ plan: z.string() }))

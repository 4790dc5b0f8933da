import type { Installation } from '../installation'
import { createSendgrid } from './sendgrid'
import { createSmtp, type Deliver } from './smtp'

/** Sends by SendGrid if there is a key for it, otherwise over the mail server; null: there is neither. */
export function deliveryOf({ config, clock }: Pick<Installation, 'config' | 'clock'>): Deliver | null {
  if (config.sendgrid) return createSendgrid({ ...config.sendgrid, mailFrom: config.mailFrom }, clock)
  return config.smtpUrl === null ? null : createSmtp({ ...config, smtpUrl: config.smtpUrl })
}

import { createPublicKey, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import { parseEmail } from '../../../engine/values/rules'
import { StartError } from '../database/startError'
import { isAddress, isKey } from './aiSettings'

/** SendGrid as the delivery service: chosen by its key. */
export interface SendgridSettings {
  apiKey: string
  /** without a trailing slash */
  apiUrl: string
  /** verifies what SendGrid tells of mails (base64 of its SPKI); null: nothing is believed */
  webhookKey: string | null
}

export interface MailSettings {
  /** null: there is no mail server */
  smtpUrl: string | null
  /** null: mails go over the mail server, or stay in the outbox */
  sendgrid: SendgridSettings | null
  /** the sender address of mails; blocks may set another name */
  mailFrom: { name: string; address: string }
}

/** Whether mails leave this installation; otherwise they stay in the outbox. */
export const sendsMails = ({ smtpUrl, sendgrid }: Pick<MailSettings, 'smtpUrl' | 'sendgrid'>): boolean =>
  smtpUrl !== null || sendgrid !== null

/** The variables about mails, for the table of all settings. */
export const mailVariables = {
  SMTP_URL: z
    .string()
    .refine(isSmtpUrl, 'give smtps://user:password@host:465 or smtp://user:password@host:587')
    .optional(),
  SENDGRID_API_KEY: z.string().trim().optional(),
  SENDGRID_API_URL: z
    .string()
    .default('https://api.sendgrid.com')
    .refine(isAddress, 'give an address, such as https://api.sendgrid.com or https://api.eu.sendgrid.com')
    .transform((url) => url.replace(/\/+$/, '')),
  SENDGRID_WEBHOOK_KEY: z
    .string()
    .trim()
    .refine(
      (text) => readPublicKey(text) !== null,
      'give the verification key that SendGrid shows for the Event Webhook, in one line',
    )
    .optional(),
  MAIL_FROM: z
    .string()
    .refine(
      (text) => parseSender(text) !== null,
      'give the address that mails are sent from, such as Parley <bot@example.com>',
    )
    .optional(),
} as const

/**
 * Mail servers reject mails without a valid sender address, so whatever sends requires one.
 * @throws StartError if that is missing, or a key can't be one
 */
export function readMailSettings(given: z.output<z.ZodObject<typeof mailVariables>>): MailSettings {
  const { SMTP_URL, SENDGRID_API_KEY, SENDGRID_API_URL, SENDGRID_WEBHOOK_KEY, MAIL_FROM } = given
  const chosen = SENDGRID_API_KEY ? 'SENDGRID_API_KEY' : SMTP_URL ? 'SMTP_URL' : null
  if (chosen && !MAIL_FROM)
    throw new StartError(`${chosen} is set and MAIL_FROM is not: give the address that mails are sent from`)
  if (SENDGRID_API_KEY && !isKey(SENDGRID_API_KEY))
    throw new StartError('SENDGRID_API_KEY holds characters that it can’t have: give it in one line, without quotes')
  return {
    smtpUrl: SMTP_URL ?? null,
    sendgrid: SENDGRID_API_KEY
      ? { apiKey: SENDGRID_API_KEY, apiUrl: SENDGRID_API_URL, webhookKey: SENDGRID_WEBHOOK_KEY ?? null }
      : null,
    mailFrom: parseSender(MAIL_FROM ?? '') ?? { name: 'Parley', address: 'parley@example.invalid' },
  }
}

/** A public key for ECDSA in base64, as SendGrid shows it; null if it is none. */
function readPublicKey(text: string): KeyObject | null {
  try {
    const key = createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' })
    return key.asymmetricKeyType === 'ec' ? key : null
  } catch {
    return null
  }
}

/** `Name <address>` or only the address; null for neither. */
function parseSender(text: string): MailSettings['mailFrom'] | null {
  const [, name = '', inBrackets] = /^([^<>\p{Cc}]*)<([^<>]*)>$/u.exec(text.trim()) ?? []
  const address = parseEmail(inBrackets ?? text)
  return address === null ? null : { name: name.trim(), address }
}

function isSmtpUrl(text: string): boolean {
  if (!/^smtps?:\/\/./.test(text) || !URL.canParse(text)) return false
  const { hostname, pathname, searchParams } = new URL(text)
  return hostname !== '' && /^\/?$/.test(pathname) && [...searchParams.keys()].every((name) => name === 'verify')
}

import { type SendgridStandIn, startSendgridStandIn } from '../../../../server/sandbox/sendgrid/sendgrid'
import type { StandInOptions } from '../../../../server/sandbox/standIn'
import { type Additions, type Contract, hasContracts, joinContracts, readContract } from '../contract'
import { onlyOurs } from '../ourCalls'

const ERRORS = {
  type: 'object',
  required: ['errors'],
  properties: {
    errors: {
      type: 'array',
      items: { type: 'object', required: ['message'], properties: { message: { type: 'string' } } },
    },
  },
}

/** What the sheet says and Twilio's document of mails does not: a validated mail is 200, a key tells its scopes. */
const MAIL: Additions = {
  answers: { '/v3/mail/send': { post: { 200: {} } } },
  paths: {
    '/v3/scopes': {
      get: {
        responses: {
          200: {
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  required: ['scopes'],
                  properties: { scopes: { type: 'array', items: { type: 'string' } } },
                },
              },
            },
          },
        },
      },
    },
  },
  errors: ERRORS,
}

const NAMES = ['processed', 'delivered', 'deferred', 'bounce', 'dropped', 'open', 'click', 'spamreport', 'unsubscribe']

/** What a webhook brings, after the sheet. */
const EVENTS = {
  type: 'array',
  minItems: 1,
  items: {
    type: 'object',
    required: ['email', 'timestamp', 'event', 'sg_event_id', 'sg_message_id'],
    properties: {
      email: { type: 'string' },
      timestamp: { type: 'integer' },
      event: { enum: NAMES },
      sg_event_id: { type: 'string' },
      sg_message_id: { type: 'string' },
      reason: { type: 'string' },
      status: { type: 'string' },
      type: { type: 'string' },
    },
  },
}

let contract: Contract | undefined

/** @returns the contract of SendGrid; undefined where there is none beside the repository */
export function sendgridContract(): Contract | undefined {
  if (!hasContracts) return undefined
  contract ??= onlyOurs(
    'sendgrid',
    joinContracts(
      readContract('sendgrid/mail.openapi.json', { additions: { ...MAIL, schemas: { Events: EVENTS } }, closes: true }),
      readContract('sendgrid/event-webhook.openapi.json', { additions: { errors: ERRORS }, closes: true }),
    ),
  )
  return contract
}

/** Starts the stand-in of SendGrid, both of whose sides are checked by the contract where there is one. */
export const startSendgrid = (options: StandInOptions): Promise<SendgridStandIn> =>
  startSendgridStandIn({ contract: sendgridContract(), ...options })

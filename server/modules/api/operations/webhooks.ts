import {
  createWebhook,
  deleteWebhook,
  listWebhookMessages,
  listWebhooks,
  rotateWebhookSecret,
  updateWebhook,
} from '../../../contracts/webhooks'
import { list, type Operation, operation } from '../operation'

const about = { tag: 'Webhooks', names: { webhook: 'gid' } } as const

export const webhookOperations: readonly Operation[] = [
  list(listWebhooks, { ...about, id: 'listWebhooks', path: '/webhooks', summary: 'List webhooks', items: 'endpoints' }),
  operation(createWebhook, {
    ...about,
    id: 'createWebhook',
    path: '/webhooks',
    summary: 'Create a webhook',
    description: 'The answer is the only one with the secret that messages are signed with.',
    example: {
      url: 'https://example.com/hook',
      description: 'CRM',
      events: ['lead.created'],
      personal: false,
      enabled: true,
    },
    status: 201,
    secret: true,
  }),
  operation(updateWebhook, {
    ...about,
    id: 'updateWebhook',
    path: '/webhooks/{webhook}',
    summary: 'Change a webhook',
    example: { enabled: false },
    pick: 'endpoint',
  }),
  operation(deleteWebhook, {
    ...about,
    id: 'deleteWebhook',
    path: '/webhooks/{webhook}',
    summary: 'Delete a webhook',
    pick: null,
  }),
  operation(rotateWebhookSecret, {
    ...about,
    id: 'rotateWebhookSecret',
    path: '/webhooks/{webhook}/secret',
    summary: 'Replace a webhook’s secret',
    description: 'The one before signs as well for 24 hours.',
    secret: true,
  }),
  list(listWebhookMessages, {
    ...about,
    id: 'listWebhookMessages',
    path: '/webhooks/{webhook}/messages',
    summary: 'List what was sent to a webhook',
    items: 'messages',
    cursor: 'before',
    next: ({ messages, more }) => (more ? (messages.at(-1)?.gid ?? null) : null),
  }),
]

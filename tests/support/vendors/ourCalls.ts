import type { Contract } from './contract'

/**
 * The calls that the product makes, as the vendors' contracts write them. `everyVendor.long.test.ts` makes each of them and
 * no other, and whatever else a test of the product makes is a breach of the contract.
 */
export const ourCalls = {
  google: [
    'POST /token',
    'POST /revoke',
    'GET /drive/v3/about',
    'GET /drive/v3/files',
    'GET /v4/spreadsheets/{spreadsheetId}',
    'GET /v4/spreadsheets/{spreadsheetId}/values/{range}',
    'POST /v4/spreadsheets/{spreadsheetId}:batchUpdate',
  ],
  hubspot: [
    'POST /oauth/2026-09/token',
    'POST /oauth/2026-09/token/introspect',
    'POST /oauth/2026-09/token/revoke',
    ...['contacts', 'companies', 'tickets'].flatMap((type) => [
      `POST /crm/objects/2026-09/${type}`,
      `POST /crm/objects/2026-09/${type}/search`,
    ]),
    'GET /crm/objects/2026-09/contacts',
    ...['contacts/{contactId}', 'companies/{companyId}', 'tickets/{ticketId}'].flatMap((one) => [
      `GET /crm/objects/2026-09/${one}`,
      `PATCH /crm/objects/2026-09/${one}`,
    ]),
    'GET /crm/properties/2026-09/{objectType}',
    'GET /crm/pipelines/2026-09/{objectType}',
    'GET /crm/owners/2026-09',
  ],
  salesforce: [
    'POST /services/oauth2/token',
    'POST /services/oauth2/revoke',
    'GET /services/oauth2/userinfo',
    'GET /services/data/{version}/limits',
    'GET /services/data/{version}/sobjects/{sobject}/describe',
    'POST /services/data/{version}/sobjects/{sobject}',
    'GET /services/data/{version}/sobjects/{sobject}/{id}',
    'PATCH /services/data/{version}/sobjects/{sobject}/{id}',
    'PATCH /services/data/{version}/sobjects/{sobject}/{field}/{value}',
    'GET /services/data/{version}/query',
    'GET /services/data/{version}/query/{locator}',
  ],
  zendesk: [
    'POST /oauth/tokens',
    'GET /api/v2/oauth/tokens/current',
    'DELETE /api/v2/oauth/tokens/current',
    'GET /api/v2/users/me',
    'POST /api/v2/tickets',
    'GET /api/v2/tickets/{id}',
    'PUT /api/v2/tickets/{id}',
    'GET /api/v2/tickets/{id}/comments',
    'POST /api/v2/uploads',
    'GET /api/v2/ticket_fields',
    'GET /api/v2/groups',
    'GET /api/v2/brands',
    'GET /api/v2/ticket_forms',
    'GET /api/v2/help_center/locales',
    'GET /api/v2/help_center/{locale}/articles',
    'GET /api/v2/help_center/{locale}/articles/{id}',
  ],
  calendly: [
    'POST /oauth/token',
    'POST /oauth/revoke',
    'GET /users/me',
    'GET /event_types',
    'GET /event_types/{uuid}',
    'GET /event_type_available_times',
    'POST /scheduling_links',
    'POST /invitees',
    'GET /scheduled_events',
    'GET /scheduled_events/{uuid}/invitees',
    'GET /scheduled_events/{event_uuid}/invitees/{invitee_uuid}',
    'GET /webhook_subscriptions',
    'POST /webhook_subscriptions',
    'GET /webhook_subscriptions/{uuid}',
    'DELETE /webhook_subscriptions/{uuid}',
  ],
  sendgrid: ['POST /v3/mail/send'],
} satisfies Record<string, readonly string[]>

/** What `npm run vendors:check` makes besides, to look at what was done and to take it away. */
const checkCalls: Readonly<Record<keyof typeof ourCalls, readonly string[]>> = {
  google: [],
  hubspot: ['contacts/{contactId}', 'companies/{companyId}', 'tickets/{ticketId}'].map(
    (one) => `DELETE /crm/objects/2026-09/${one}`,
  ),
  salesforce: ['DELETE /services/data/{version}/sobjects/{sobject}/{id}'],
  zendesk: [],
  calendly: ['POST /scheduled_events/{uuid}/cancellation'],
  sendgrid: [],
}

/** The contract, to which a call of the product's that is not listed here is a breach. */
export function onlyOurs(vendor: keyof typeof ourCalls, contract: Contract): Contract {
  const listed: ReadonlySet<string> = new Set([...ourCalls[vendor], ...checkCalls[vendor]])
  return {
    ...contract,
    request(call) {
      const endpoint = call.headers['user-agent'] === 'Parley' ? contract.endpointOf(call) : null
      const unlisted = endpoint !== null && !listed.has(endpoint)
      return [...contract.request(call), ...(unlisted ? [`${endpoint} is not listed in ourCalls.ts`] : [])]
    },
  }
}

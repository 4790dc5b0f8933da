import type { Additions } from '../contract'

/**
 * What Zendesk's contract beside the repository does not have: the lists from which a ticket's group, brand and form
 * are chosen. Ours, by the pages "Groups", "Brands" and "Ticket Forms" of Zendesk's Ticketing API reference
 * (developer.zendesk.com, read in November 2026): names and types of fields, nothing of what they mean together.
 */
export const OUR_PATHS: Additions = {
  paths: {
    '/api/v2/groups': list('groups', {
      id: integer(),
      url: text(),
      name: text(),
      description: text(),
      default: flag(),
      deleted: flag(),
      is_public: flag(),
      created_at: text(),
      updated_at: text(),
    }),
    '/api/v2/brands': list('brands', {
      id: integer(),
      url: text(),
      name: text(),
      subdomain: text(),
      brand_url: text(),
      active: flag(),
      default: flag(),
      is_deleted: flag(),
      has_help_center: flag(),
      ticket_form_ids: { type: 'array', items: integer() },
      created_at: text(),
      updated_at: text(),
    }),
    '/api/v2/ticket_forms': list('ticket_forms', {
      id: integer(),
      url: text(),
      name: text(),
      display_name: text(),
      active: flag(),
      default: flag(),
      end_user_visible: flag(),
      in_all_brands: flag(),
      position: integer(),
      restricted_brand_ids: { type: 'array', items: integer() },
      ticket_field_ids: { type: 'array', items: integer() },
      created_at: text(),
      updated_at: text(),
    }),
  },
}

function integer() {
  return { type: 'integer' }
}
function text() {
  return { type: ['string', 'null'] }
}
function flag() {
  return { type: 'boolean' }
}

/** A list that is read by cursor. */
function list(name: string, properties: Record<string, object>) {
  const items = { type: 'object', properties, required: ['id', 'name'] }
  const meta = {
    type: 'object',
    properties: { has_more: flag(), after_cursor: text(), before_cursor: text() },
    required: ['has_more'],
  }
  const schema = { type: 'object', properties: { [name]: { type: 'array', items }, meta }, required: [name] }
  const errors = { $ref: '#/components/schemas/Error' }
  return {
    get: {
      parameters: [
        { name: 'page[size]', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100 } },
        { name: 'page[after]', in: 'query', schema: { type: 'string' } },
      ],
      responses: {
        200: { content: { 'application/json': { schema } } },
        default: { content: { 'application/json': { schema: errors } } },
      },
    },
  }
}

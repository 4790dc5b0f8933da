import type { Answer } from '../call'
import type { Route } from '../routes'
import { pageOf } from './helpCenter'
import type { ZendeskState } from './state'

/** No scope of a resource covers these: only that of everything. */
const READS = ['read']
const ok = (body: unknown): Answer => ({ status: 200, body })

/** @returns the lists of where a ticket can belong */
export const placeRoutes = (state: ZendeskState): Route[] => [
  {
    method: 'GET',
    path: '/api/v2/groups',
    scopes: READS,
    handle: (call) => ok(pageOf('groups', state.groups, call, state.origin())),
  },
  {
    method: 'GET',
    path: '/api/v2/brands',
    scopes: READS,
    handle: (call) => {
      const shown = state.brands.map((brand, at) => ({
        ...brand,
        is_deleted: false,
        default: at === 0,
        subdomain: brand.name.toLowerCase(),
        ticket_form_ids: state.forms.map(({ id }) => id),
      }))
      return ok(pageOf('brands', shown, call, state.origin()))
    },
  },
  {
    method: 'GET',
    path: '/api/v2/ticket_forms',
    scopes: READS,
    handle: (call) => {
      const shown = state.forms.map(({ id, name, active, fieldIds }, at) => ({
        id,
        name,
        display_name: name,
        active,
        default: at === 0,
        ticket_field_ids: fieldIds,
      }))
      return ok(pageOf('ticket_forms', shown, call, state.origin()))
    },
  },
]

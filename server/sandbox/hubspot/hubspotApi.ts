import { type Call, fieldsOf, one, Refusal } from '../call'
import { CallLimit } from '../callLimit'
import { bearerOf } from '../oauth/tokens'
import type { Route } from '../routes'
import { atomically } from './atomically'
import { runBatch } from './batches'
import { refuseAsHubspot, refuseHubspot } from './errors'
import { ANY_SCOPE, ok, readScopes, TYPES, VERSION, writeScopes } from './hubspotPaths'
import { linkRoutes } from './linkRoutes'
import { presentPipeline } from './pipelines'
import { addProperty, presentProperty } from './properties'
import {
  archiveRecord,
  createRecord,
  findRecord,
  presentRecord,
  presentWithAssociations,
  recordsOf,
  updateRecord,
} from './records'
import { searchRecords } from './search'
import type { HubspotState, ObjectType } from './state'

/** What the path of one record calls its id. */
const ID: Readonly<Record<ObjectType, string>> = { contacts: 'contactId', companies: 'companyId', tickets: 'ticketId' }

/** Calls of one application in one account. */
const ROLLING = { most: 110, seconds: 10 }
const SEARCHES = { most: 5, seconds: 1 }

/** @returns the calls of the CRM, and who may make them */
export function hubspotApi(state: HubspotState, limited: boolean) {
  const rolling = new CallLimit(ROLLING.most, ROLLING.seconds)
  const searches = new CallLimit(SEARCHES.most, SEARCHES.seconds)
  const left = new WeakMap<Call, number>()

  function admit(call: Call, route: Route): void {
    if (!route.scopes) return
    const grant = state.grants.grantOf(bearerOf(call))
    if (!grant) throw new Refusal(refuseAsHubspot('unauthorized'))
    call.grant = grant
    if (!route.scopes.some((scope) => grant.scopes.includes(scope))) throw new Refusal(refuseAsHubspot('forbidden'))
    if (!limited) return
    if (route.counts === 'search') {
      if (searches.count('', call.at).left < 0) throw new Refusal(refuseAsHubspot('tooMany', { message: 'SECONDLY' }))
      return
    }
    const counted = rolling.count('', call.at).left
    left.set(call, Math.max(0, counted))
    if (counted < 0) throw new Refusal(refuseAsHubspot('tooMany'))
  }

  /** Search answers without these. */
  const headers = (call: Call): Record<string, string> => {
    const remaining = left.get(call)
    if (remaining === undefined) return {}
    return {
      'x-hubspot-ratelimit-max': String(ROLLING.most),
      'x-hubspot-ratelimit-remaining': String(remaining),
      'x-hubspot-ratelimit-interval-milliseconds': String(ROLLING.seconds * 1_000),
    }
  }

  function revoke(call: Call): void {
    const grant = state.grants.holderOf(bearerOf(call) ?? '')
    if (grant) state.grants.revoke(grant)
  }

  const all = [...TYPES.flatMap((type) => recordRoutes(state, type)), ...schemaRoutes(state), ...linkRoutes(state)]
  const routes = all.map(
    (route): Route => ({ ...route, handle: (call) => atomically(state, () => route.handle(call)) }),
  )
  return { routes, admit, headers, revoke }
}

function recordRoutes(state: HubspotState, type: ObjectType): Route[] {
  const base = `/crm/objects/${VERSION}/${type}`
  const single = `${base}/{${ID[type]}}`
  const [reads, writes] = [readScopes(type), writeScopes(type)]
  const idOf = (call: Call) => call.params[ID[type]] ?? ''
  const find = (call: Call) => findRecord(state, type, idOf(call), one(call.query.idProperty))
  /** what was written is shown, and the defaults */
  const shown = (call: Call) => Object.keys(fieldsOf(fieldsOf(call.body).properties))
  return [
    {
      method: 'POST',
      path: base,
      scopes: writes,
      handle: (call) => ok(presentRecord(createRecord(state, type, call.body), shown(call)), 201),
    },
    {
      method: 'GET',
      path: base,
      scopes: reads,
      handle: ({ query }) => {
        const limit = Math.min(100, Number(one(query.limit) ?? 10))
        const all = recordsOf(state, type).filter(({ id }) => Number(id) > Number(one(query.after) ?? 0))
        const results = all.slice(0, limit)
        const next = all.length > limit ? { paging: { next: { after: results.at(-1)?.id } } } : {}
        return ok({ results: results.map((record) => presentWithAssociations(state, record, query)), ...next })
      },
    },
    {
      method: 'GET',
      path: single,
      scopes: reads,
      handle: (call) => ok(presentWithAssociations(state, find(call), call.query)),
    },
    {
      method: 'PATCH',
      path: single,
      scopes: writes,
      handle: (call) => ok(presentRecord(updateRecord(state, find(call), call.body), shown(call))),
    },
    {
      method: 'DELETE',
      path: single,
      scopes: writes,
      handle: (call) => {
        archiveRecord(state, find(call))
        return { status: 204 }
      },
    },
    {
      method: 'POST',
      path: `${base}/search`,
      scopes: reads,
      counts: 'search',
      handle: (call) => ok(searchRecords(state, type, call.body)),
    },
    {
      method: 'POST',
      path: `${base}/merge`,
      scopes: writes,
      handle: (call) => {
        const { primaryObjectId, objectIdToMerge } = fieldsOf(call.body) as Record<string, string>
        const primary = findRecord(state, type, primaryObjectId ?? '')
        const other = findRecord(state, type, objectIdToMerge ?? '')
        if (primary === other) throw refuseHubspot(400, 'VALIDATION_ERROR', 'A record can’t be merged with itself')
        primary.properties = { ...other.properties, ...primary.properties }
        primary.updatedAt = state.clock()
        archiveRecord(state, other)
        return ok(presentRecord(primary))
      },
    },
    ...(['read', 'create', 'update', 'upsert', 'archive'] as const).map(
      (what): Route => ({
        method: 'POST',
        path: `${base}/batch/${what}`,
        scopes: what === 'read' ? reads : writes,
        handle: (call) => runBatch(state, type, what, call.body),
      }),
    ),
    ...(type === 'contacts' ? [gdprRoute(state, base, writes)] : []),
  ]
}

/** Erases a person for ever, where archiving keeps them for a while. */
const gdprRoute = (state: HubspotState, base: string, scopes: string[]): Route => ({
  method: 'POST',
  path: `${base}/gdpr-delete`,
  scopes,
  handle: (call) => {
    const { objectId, idProperty } = fieldsOf(call.body) as Record<string, string>
    const found = findRecord(state, 'contacts', objectId ?? '', idProperty)
    archiveRecord(state, found)
    state.records.delete(found.id)
    return { status: 204 }
  },
})

function schemaRoutes(state: HubspotState): Route[] {
  const typeOf = (call: Call): ObjectType => {
    const found = TYPES.find(
      (type) => type === call.params.objectType || type.startsWith(call.params.objectType ?? '-'),
    )
    if (!found)
      throw refuseHubspot(400, 'VALIDATION_ERROR', `Unable to infer object type from: ${call.params.objectType}`)
    return found
  }
  const properties = `/crm/properties/${VERSION}/{objectType}`
  const pipelines = `/crm/pipelines/${VERSION}/{objectType}`
  const presentOwner = ({ id, email, firstName, lastName }: HubspotState['owners'][number]) => {
    const at = '2026-01-01T00:00:00.000Z'
    return {
      id,
      email,
      firstName,
      lastName,
      type: 'PERSON',
      userId: Number(id),
      createdAt: at,
      updatedAt: at,
      archived: false,
    }
  }
  return [
    {
      method: 'GET',
      path: properties,
      scopes: ANY_SCOPE,
      handle: (call) => ok({ results: state.properties[typeOf(call)].map(presentProperty) }),
    },
    {
      method: 'POST',
      path: properties,
      scopes: ANY_SCOPE,
      handle: (call) => ok(presentProperty(addProperty(state, typeOf(call), call.body)), 201),
    },
    {
      method: 'GET',
      path: `${properties}/{propertyName}`,
      scopes: ANY_SCOPE,
      handle: (call) => {
        const found = state.properties[typeOf(call)].find(({ name }) => name === call.params.propertyName)
        if (!found) throw refuseHubspot(404, 'OBJECT_NOT_FOUND', `Property ${call.params.propertyName} does not exist`)
        return ok(presentProperty(found))
      },
    },
    {
      method: 'GET',
      path: pipelines,
      scopes: ANY_SCOPE,
      handle: (call) => ok({ results: typeOf(call) === 'tickets' ? state.pipelines.map(presentPipeline) : [] }),
    },
    {
      method: 'GET',
      path: `${pipelines}/{pipelineId}`,
      scopes: ANY_SCOPE,
      handle: (call) => {
        const at = state.pipelines.findIndex(({ id }) => id === call.params.pipelineId)
        const found = state.pipelines[at]
        if (!found) throw refuseHubspot(404, 'OBJECT_NOT_FOUND', `Pipeline ${call.params.pipelineId} does not exist`)
        return ok(presentPipeline(found, at))
      },
    },
    {
      method: 'GET',
      path: `/crm/owners/${VERSION}`,
      scopes: ['crm.objects.owners.read'],
      handle: ({ query }) => {
        const email = one(query.email)
        return ok({
          results: state.owners.filter((owner) => email === undefined || owner.email === email).map(presentOwner),
        })
      },
    },
    {
      method: 'GET',
      path: `/crm/owners/${VERSION}/{ownerId}`,
      scopes: ['crm.objects.owners.read'],
      handle: (call) => {
        const found = state.owners.find(({ id }) => id === call.params.ownerId)
        if (!found) throw refuseHubspot(404, 'OBJECT_NOT_FOUND', `Owner ${call.params.ownerId} does not exist`)
        return ok(presentOwner(found))
      },
    },
  ]
}

import { type Answer, type Call, fieldsOf } from '../call'
import type { Route } from '../routes'
import {
  type AssociationSpec,
  associate,
  associationLabels,
  defaultSpec,
  dissociate,
  presentPair,
  readAssociations,
} from './associations'
import { ANY_SCOPE, ok, VERSION } from './hubspotPaths'
import type { HubspotState } from './state'

/** @returns the calls that link records */
export function linkRoutes(state: HubspotState): Route[] {
  const pair = `/crm/objects/${VERSION}/{objectType}/{objectId}/associations/{toObjectType}/{toObjectId}`
  const batch = `/crm/associations/${VERSION}/{fromObjectType}/{toObjectType}`
  const complete = (results: object[], status = 200): Answer => {
    const now = state.clock().toISOString()
    return ok({ status: 'COMPLETE', results, startedAt: now, completedAt: now }, status)
  }
  const byDefault = (from: string, to: string) => {
    const associationSpec = defaultSpec(state, from, to)
    associate(state, from, to, [associationSpec])
    return { from: { id: from }, to: { id: to }, associationSpec }
  }
  type Pairs = { inputs?: { from: { id: string }; to: { id: string }; types: AssociationSpec[] }[] }
  const inputsOf = (call: Call) => (fieldsOf(call.body) as Pairs).inputs ?? []
  return [
    {
      method: 'PUT',
      path: pair,
      scopes: ANY_SCOPE,
      handle: ({ params: { objectId = '', toObjectId = '' }, body }) => {
        associate(state, objectId, toObjectId, body as AssociationSpec[])
        return ok(presentPair(state, objectId, toObjectId), 201)
      },
    },
    {
      method: 'DELETE',
      path: pair,
      scopes: ANY_SCOPE,
      handle: ({ params: { objectId = '', toObjectId = '' } }) => {
        dissociate(state, objectId, toObjectId)
        return { status: 204 }
      },
    },
    {
      method: 'PUT',
      path: `/crm/objects/${VERSION}/{fromObjectType}/{fromObjectId}/associations/default/{toObjectType}/{toObjectId}`,
      scopes: ANY_SCOPE,
      handle: ({ params: { fromObjectId = '', toObjectId = '' } }) => complete([byDefault(fromObjectId, toObjectId)]),
    },
    {
      method: 'POST',
      path: `${batch}/batch/read`,
      scopes: ANY_SCOPE,
      handle: ({ params, body }) => complete(readAssociations(state, params.toObjectType ?? '', body)),
    },
    {
      method: 'POST',
      path: `${batch}/batch/create`,
      scopes: ANY_SCOPE,
      handle: (call) =>
        complete(
          inputsOf(call).map(({ from, to, types }) => {
            associate(state, from.id, to.id, types)
            return presentPair(state, from.id, to.id)
          }),
          201,
        ),
    },
    {
      method: 'POST',
      path: `${batch}/batch/associate/default`,
      scopes: ANY_SCOPE,
      handle: (call) => complete(inputsOf(call).map(({ from, to }) => byDefault(from.id, to.id))),
    },
    {
      method: 'POST',
      path: `${batch}/batch/archive`,
      scopes: ANY_SCOPE,
      handle: (call) => {
        const { inputs = [] } = fieldsOf(call.body) as { inputs?: { from: { id: string }; to: { id: string }[] }[] }
        for (const { from, to } of inputs) for (const { id } of to) dissociate(state, from.id, id)
        return { status: 204 }
      },
    },
    {
      method: 'GET',
      path: `${batch}/labels`,
      scopes: ANY_SCOPE,
      handle: ({ params }) =>
        ok({ results: associationLabels(params.fromObjectType ?? '', params.toObjectType ?? '') }),
    },
  ]
}

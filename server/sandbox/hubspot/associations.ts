import { fieldsOf } from '../call'
import { refuseHubspot } from './errors'
import { ASSOCIATION_TYPES, type HubspotState, type ObjectType, TYPE_IDS } from './state'

export interface AssociationSpec {
  associationCategory: string
  associationTypeId: number
}

/** Links two records, both ways. @throws a Refusal for a kind that does not go from the one to the other */
export function associate(state: HubspotState, from: string, to: string, specs: readonly AssociationSpec[]): void {
  const [fromType, toType] = [typeOf(state, from), typeOf(state, to)]
  const known = ASSOCIATION_TYPES.filter((kind) => kind.from === fromType && kind.to === toType)
  for (const { associationTypeId: typeId } of specs) {
    const kind = known.find((other) => other.typeId === typeId || other.primary === typeId)
    if (!kind) throw refuseHubspot(400, 'VALIDATION_ERROR', `${typeId} is not valid between ${fromType} and ${toType}`)
    const back = ASSOCIATION_TYPES.find((other) => other.from === toType && other.to === fromType)
    link(state, from, to, typeId)
    link(state, to, from, (typeId === kind.primary ? back?.primary : back?.typeId) ?? typeId)
    // what is primary is linked in the plain way too
    if (typeId === kind.primary) {
      link(state, from, to, kind.typeId)
      link(state, to, from, back?.typeId ?? typeId)
    }
  }
}

export const defaultSpec = (state: HubspotState, from: string, to: string): AssociationSpec => {
  const [fromType, toType] = [typeOf(state, from), typeOf(state, to)]
  const kind = ASSOCIATION_TYPES.find((other) => other.from === fromType && other.to === toType)
  return { associationCategory: 'HUBSPOT_DEFINED', associationTypeId: kind?.typeId ?? 0 }
}

/** Ends all links of two records. */
export function dissociate(state: HubspotState, a: string, b: string): void {
  state.associations = state.associations.filter(
    ({ from, to }) => !(from === a && to === b) && !(from === b && to === a),
  )
}

/** `POST associations/{from}/{to}/batch/read` */
export function readAssociations(state: HubspotState, toType: string, body: unknown) {
  const { inputs = [] } = fieldsOf(body) as { inputs?: { id: string }[] }
  return inputs.flatMap(({ id }) => {
    const linked = state.associations.filter(({ from, to }) => from === id && state.records.get(to)?.type === toType)
    const ids = [...new Set(linked.map(({ to }) => to))]
    if (ids.length === 0) return []
    const to = ids.map((toObjectId) => ({
      toObjectId,
      associationTypes: linked
        .filter((association) => association.to === toObjectId)
        .map(({ typeId }) => ({ category: 'HUBSPOT_DEFINED', typeId, label: labelOf(typeId) })),
    }))
    return [{ from: { id }, to }]
  })
}

export const presentPair = (state: HubspotState, from: string, to: string) => ({
  fromObjectTypeId: TYPE_IDS[typeOf(state, from)],
  fromObjectId: from,
  toObjectTypeId: TYPE_IDS[typeOf(state, to)],
  toObjectId: to,
  labels: [] as string[],
})

/** The kinds of links between two types. */
export const associationLabels = (from: string, to: string) =>
  ASSOCIATION_TYPES.filter((kind) => kind.from === from && kind.to === to)
    .flatMap(({ typeId, primary }) => (primary === undefined ? [typeId] : [primary, typeId]))
    .map((typeId) => ({ category: 'HUBSPOT_DEFINED', typeId, label: labelOf(typeId) }))

const labelOf = (typeId: number) =>
  ASSOCIATION_TYPES.some(({ primary }) => primary === typeId) ? 'Primary' : undefined

function link(state: HubspotState, from: string, to: string, typeId: number): void {
  const isThere = state.associations.some((other) => other.from === from && other.to === to && other.typeId === typeId)
  if (!isThere) state.associations.push({ from, to, typeId })
}

function typeOf(state: HubspotState, id: string): ObjectType {
  const found = state.records.get(id)
  if (!found || found.archived) throw refuseHubspot(404, 'OBJECT_NOT_FOUND', `Object ${id} does not exist`)
  return found.type
}

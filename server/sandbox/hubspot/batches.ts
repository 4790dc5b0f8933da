import { type Answer, fieldsOf, Refusal } from '../call'
import { refuseHubspot } from './errors'
import { archiveRecord, createRecord, findRecord, lookUp, presentRecord, updateRecord } from './records'
import type { HubspotState, ObjectType } from './state'

interface Input {
  id: string
  idProperty?: string
  properties?: Record<string, string>
}
interface BatchBody {
  inputs?: Input[]
  properties?: string[]
  idProperty?: string
}

/** The most records of one batch. */
const MOST = 100

/** `POST objects/{type}/batch/{what}`: read, create, update, upsert or archive */
export function runBatch(state: HubspotState, type: ObjectType, what: string, body: unknown): Answer {
  const { inputs = [], properties = [], idProperty } = fieldsOf(body) as BatchBody
  if (inputs.length === 0 || inputs.length > MOST)
    throw refuseHubspot(400, 'VALIDATION_ERROR', `a batch has 1 to ${MOST} inputs, not ${inputs.length}`)
  if (what === 'archive') {
    for (const { id } of inputs) {
      const found = lookUp(state, type, id)
      if (found) archiveRecord(state, found)
    }
    return { status: 204 }
  }
  const results: object[] = []
  const errors: object[] = []
  for (const input of inputs) {
    try {
      results.push(one(state, type, what, input, properties, idProperty))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      // one that can't be written fails the whole batch; one that is not found fails alone
      if (error.answer.status !== 404) throw error
      const { message, category } = fieldsOf(error.answer.body)
      errors.push({ status: 'error', category, message, context: { ids: [input.id] }, links: {}, errors: [] })
    }
  }
  const now = state.clock().toISOString()
  const answered = { status: 'COMPLETE', results, startedAt: now, completedAt: now }
  if (errors.length > 0) return { status: 207, body: { ...answered, numErrors: errors.length, errors } }
  return { status: what === 'create' ? 201 : 200, body: answered }
}

function one(
  state: HubspotState,
  type: ObjectType,
  what: string,
  input: Input,
  properties: string[],
  idProperty: string | undefined,
): object {
  switch (what) {
    case 'read':
      return presentRecord(findRecord(state, type, input.id, idProperty), properties)
    case 'create':
      return presentRecord(createRecord(state, type, input), Object.keys(input.properties ?? {}))
    case 'update': {
      const found = findRecord(state, type, input.id, input.idProperty)
      return presentRecord(updateRecord(state, found, input), Object.keys(input.properties ?? {}))
    }
    case 'upsert': {
      const found = lookUp(state, type, input.id, input.idProperty)
      const withKey = input.idProperty ? { [input.idProperty]: input.id, ...input.properties } : input.properties
      const record = found ? updateRecord(state, found, input) : createRecord(state, type, { properties: withKey })
      return { ...presentRecord(record, Object.keys(withKey ?? {})), new: !found }
    }
    default:
      throw refuseHubspot(404, 'OBJECT_NOT_FOUND', `There is no batch ${what}`)
  }
}

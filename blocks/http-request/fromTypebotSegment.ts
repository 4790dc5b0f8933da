import { type Fields, fieldsOf, listOf, textOf } from '../../engine/interop/fields'
import type { BlockImporter, ImportContext } from '../../engine/interop/importer'
import { noteOthers } from '../../engine/interop/settings'
import { staticValue } from '../../engine/values/dynamicValue'
import { type HttpRequestData, httpCaps, httpRequestDefaults } from './schema'

const SEGMENT = 'https://api.segment.io/v1'
/** What Segment's calls are named after, and where their values stand. */
const segmentCalls: Readonly<Record<string, { path: string; values: 'traits' | 'properties' }>> = {
  Identify: { path: 'identify', values: 'traits' },
  Track: { path: 'track', values: 'properties' },
  Page: { path: 'page', values: 'properties' },
  Alias: { path: 'alias', values: 'properties' },
}

/** Segment has a block of its own there: it becomes the request that Segment's API takes. */
export const segmentFromTypebot: BlockImporter = {
  product: 'typebot',
  types: ['segment', 'Segment'],
  map(block, context) {
    const data = segmentCall(fieldsOf(block.options), context)
    return { data: { ...httpRequestDefaults(), ...data, retries: 0 }, ports: { default: 'success' } }
  },
}

function segmentCall(options: Fields, context: ImportContext): Partial<HttpRequestData> {
  const action = textOf(options.action) || 'Track'
  const call = segmentCalls[action] ?? segmentCalls.Track
  noteOthers(
    options,
    [
      'action',
      'credentialsId',
      'userId',
      'eventName',
      'email',
      'name',
      'category',
      'previousId',
      'properties',
      'traits',
    ],
    context,
  )
  context.note("It became a request to Segment's API: enter the write key as the user name under Authentication.")
  const rows = [options.traits ?? options.properties].flatMap(listOf).map(fieldsOf)
  const values = Object.fromEntries(rows.map(({ key, value }) => [textOf(key), textOf(value)]))
  const said = {
    userId: options.userId,
    event: options.eventName,
    name: call?.path === 'page' ? options.name : undefined,
    category: options.category,
    previousId: options.previousId,
  }
  const given = Object.entries(said).flatMap(([name, value]) => (textOf(value) === '' ? [] : [[name, textOf(value)]]))
  const email = textOf(options.email) === '' ? {} : { email: textOf(options.email) }
  return {
    method: 'POST',
    url: staticValue(`${SEGMENT}/${call?.path ?? 'track'}`),
    auth: { ...httpRequestDefaults().auth, type: 'basic' },
    ...jsonBody({ ...Object.fromEntries(given), [call?.values ?? 'properties']: { ...email, ...values } }, context),
  }
}

/** A body with the variables that its texts name. */
function jsonBody(value: object, context: ImportContext): Pick<HttpRequestData, 'bodyType' | 'body'> {
  return { bodyType: 'json', body: context.text(JSON.stringify(value, null, 2), httpCaps.body) }
}

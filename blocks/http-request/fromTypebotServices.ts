import { clip, type Fields, fieldsOf, listOf, textOf } from '../../engine/interop/fields'
import type { BlockImporter, ImportContext } from '../../engine/interop/importer'
import { noteOthers } from '../../engine/interop/settings'
import { caps } from '../../engine/values/caps'
import { staticValue } from '../../engine/values/dynamicValue'
import { type HttpRequestData, httpCaps, httpRequestDefaults } from './schema'

const SHEETS = 'https://sheets.googleapis.com/v4/spreadsheets'
const SEGMENT = 'https://api.segment.io/v1'
/** What Segment's calls are named after, and where their values stand. */
const segmentCalls: Readonly<Record<string, { path: string; values: 'traits' | 'properties' }>> = {
  Identify: { path: 'identify', values: 'traits' },
  Track: { path: 'track', values: 'properties' },
  Page: { path: 'page', values: 'properties' },
  Alias: { path: 'alias', values: 'properties' },
}

/** Services that have blocks of their own there: each becomes the request that the service's API takes. */
export const servicesFromTypebot: BlockImporter = {
  product: 'typebot',
  types: ['Google Sheets', 'segment', 'Segment'],
  map(block, context) {
    const options = fieldsOf(block.options)
    const data = block.type === 'Google Sheets' ? sheetCall(options, context) : segmentCall(options, context)
    return { data: { ...httpRequestDefaults(), ...data, retries: 0 }, ports: { default: 'success' } }
  },
}

function sheetCall(options: Fields, context: ImportContext): Partial<HttpRequestData> {
  const action = textOf(options.action) || 'Insert a row'
  noteOthers(
    options,
    ['action', 'credentialsId', 'spreadsheetId', 'sheetId', 'cellsToInsert', 'cellsToUpsert'],
    context,
  )
  const id = textOf(options.spreadsheetId).trim()
  context.note(
    `'${clip(action, 40)}' of a spreadsheet became a request to Google's API: enter an access token under Authentication.`,
  )
  const values = `${SHEETS}/${id === '' ? 'SPREADSHEET' : id}/values/A1`
  const auth = { ...httpRequestDefaults().auth, type: 'bearer' as const }
  if (action.startsWith('Get')) {
    context.note('All rows are read, in their order: choose what is saved of them.')
    return { method: 'GET', url: context.text(values, caps.url), auth }
  }
  if (action.startsWith('Update')) context.note('It changed the row that matched: here a row is added.')
  const cells = [options.cellsToInsert ?? options.cellsToUpsert].flatMap(listOf).map(fieldsOf)
  if (cells.length > 0) context.note(`The columns are ${names(cells, 'column')}: check that they stand in this order.`)
  return {
    method: 'POST',
    url: context.text(`${values}:append?valueInputOption=RAW`, caps.url),
    auth,
    ...jsonBody({ values: [cells.map(({ value }) => textOf(value))] }, context),
  }
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

const names = (rows: readonly Fields[], field: string) => rows.map((row) => textOf(row[field]) || '?').join(', ')

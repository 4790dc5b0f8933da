import { httpMethods } from '../../engine/effects/http'
import { clip, type Fields, fieldsOf, listOf, numberOf, textOf } from '../../engine/interop/fields'
import type { BlockImporter, ImportContext } from '../../engine/interop/importer'
import { noteOthers } from '../../engine/interop/settings'
import { caps } from '../../engine/values/caps'
import { type DynamicValue, dynamicValueToString, staticValue } from '../../engine/values/dynamicValue'
import { jsonPathProblem } from '../../engine/values/jsonPath'
import { ANY_VALUE, jsonProblem } from '../../engine/values/jsonProblem'
import { isExternalUrl } from '../../engine/values/url'
import { type HttpMapping, type HttpPair, type HttpRequestData, httpCaps, httpRequestDefaults } from './schema'

/** They take a request as it is, and what starts in them is theirs. */
const services = ['Zapier', 'Make.com', 'Pabbly']

/**
 * HTTP requests, called Webhook in files, and three services based on them. They have one exit, which both ports take,
 * since failure falls back to it.
 */
export const httpRequestFromTypebot: BlockImporter = {
  product: 'typebot',
  types: ['Webhook', 'HTTP request', ...services],
  map(block, context) {
    const options = fieldsOf(block.options)
    const request = fieldsOf(options.webhook ?? block.webhook)
    const service = services.find((name) => name === block.type)
    if (service) context.note(`It called a scenario of ${service}: here it is an HTTP request to the same address.`)
    noteOthers(options, OPTIONS, context)
    noteOthers(request, ['id', 'method', 'url', 'headers', 'queryParams', 'body', 'typebotId'], context)
    if (Object.keys(request).length === 0 && (block.webhookId ?? options.webhookId))
      context.note('The file names the request and does not hold it: enter its URL.')
    if (options.isExecutedOnClient === true)
      context.note("This request was made by the visitor's browser: here the server makes it.")
    return {
      data: {
        ...httpRequestDefaults(),
        method: methodOf(request.method, context),
        url: urlOf(request.url, context),
        query: pairsOf(request.queryParams, context),
        headers: pairsOf(request.headers, context),
        ...bodyOf(request, options, context),
        timeout: timeoutOf(options.timeout),
        retries: 0,
        mapping: mappingOf(options.responseVariableMapping, context),
      } satisfies HttpRequestData,
      ports: { default: 'success' },
    }
  },
}

const OPTIONS = [
  'webhook',
  'webhookId',
  'responseVariableMapping',
  'variablesForTest',
  'isAdvancedConfig',
  'isCustomBody',
  'isExecutedOnClient',
  'timeout',
]

function methodOf(value: unknown, context: ImportContext): HttpRequestData['method'] {
  // without a method it is a POST
  const name = textOf(value).toUpperCase() || 'POST'
  const method = httpMethods.find((known) => known === name)
  if (!method) context.note(`The method '${clip(name, 40)}' can't be sent: it became POST.`)
  return method ?? 'POST'
}

function urlOf(value: unknown, context: ImportContext): DynamicValue {
  const text = textOf(value).trim()
  // the product completes the address when it calls
  return context.text(text === '' || isExternalUrl(text) || text.startsWith('{{') ? text : `https://${text}`, caps.url)
}

function pairsOf(value: unknown, context: ImportContext): HttpPair[] {
  const rows = listOf(value).map(fieldsOf)
  if (rows.length > httpCaps.rows) context.note(`Only the first ${httpCaps.rows} of ${rows.length} rows are kept.`)
  return rows.slice(0, httpCaps.rows).map(({ key, value }) => ({
    id: context.id(),
    name: context.text(key, httpCaps.name),
    value: context.text(value, caps.setVariable),
  }))
}

function bodyOf(request: Fields, options: Fields, context: ImportContext): Pick<HttpRequestData, 'bodyType' | 'body'> {
  const text = textOf(request.body)
  const sends = methodOf(request.method, { ...context, note: () => undefined }) !== 'GET'
  if (options.isCustomBody !== true || text.trim() === '' || text.trim() === '{{state}}') {
    if (sends && Object.keys(request).length > 0 && (request.url || text))
      context.note(
        'All answers of the conversation were sent as the body: write a body with the variables that are needed.',
      )
    return { bodyType: 'none', body: staticValue('') }
  }
  const body = context.text(text, httpCaps.body)
  const isJson = jsonProblem(dynamicValueToString(body, () => ANY_VALUE)) === null
  return { bodyType: isJson ? 'json' : 'raw', body }
}

function timeoutOf(value: unknown): number {
  const seconds = Math.round(numberOf(value) ?? 10)
  return Math.min(Math.max(seconds, 1), 30)
}

function mappingOf(value: unknown, context: ImportContext): HttpMapping[] {
  const rows = listOf(value).map(fieldsOf)
  if (rows.length > httpCaps.rows)
    context.note(`Only the first ${httpCaps.rows} of ${rows.length} saved values are kept.`)
  return rows.slice(0, httpCaps.rows).map(({ bodyPath, variableId }) => {
    const from = sourceOf(textOf(bodyPath).trim())
    if (!from) context.note(`The path '${clip(textOf(bodyPath), 60)}' is code: choose the value again.`)
    return { id: context.id(), ...(from ?? { from: 'body', path: '' }), variableId: context.variable(variableId) }
  })
}

/** `data.items[0].name` is a path in the response; `data.items.flatMap(item => item.id)` the ids of all items. */
function sourceOf(path: string): Pick<HttpMapping, 'from' | 'path'> | null {
  if (path === '') return { from: 'body', path: '' }
  if (path === 'statusCode') return { from: 'status', path: '' }
  let all = path
  for (let last = ''; last !== all; ) {
    last = all
    all = all.replace(/\.(?:flatMap|map)\(\s*\(?(\w+)\)?\s*=>\s*\1((?:\.\w+|\[[^\]]*\])*)\s*\)/, '[*]$2')
  }
  const query = all.replace(/^data(?=$|[.[?])/, '$').replaceAll('?.', '.')
  const whole = query.startsWith('$') ? query : query.startsWith('[') ? `$${query}` : `$.${query}`
  return jsonPathProblem(whole) === null ? { from: 'body', path: whole } : null
}

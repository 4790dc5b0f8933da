import { httpMethods, httpTimeouts } from '../../engine/effects/http'
import { clip, type Fields, fieldsOf, listOf, numberOf, textOf } from '../../engine/interop/fields'
import type { NodeContext, NodeImporter } from '../../engine/interop/importer'
import { failing } from '../../engine/interop/nodes/exits'
import { noteOthers } from '../../engine/interop/settings'
import { caps } from '../../engine/values/caps'
import { dynamicValueToString } from '../../engine/values/dynamicValue'
import { ANY_VALUE, jsonProblem } from '../../engine/values/jsonProblem'
import { type HttpMapping, type HttpPair, type HttpRequestData, httpCaps, httpRequestDefaults } from './schema'

/** An HTTP request; headers and parameters are lines like `name: value`. */
export const httpRequestFromDify: NodeImporter = {
  product: 'dify',
  types: ['http-request'],
  map(block, context) {
    const known = [
      ...['id', 'type', 'method', 'url', 'headers', 'params', 'body', 'authorization', 'timeout'],
      ...['retry_config', 'ssl_verify'],
    ]
    noteOthers(block, known, context)
    if (block.ssl_verify === false) context.note('Certificates were not checked: here they are.')
    const data: HttpRequestData = {
      ...httpRequestDefaults(),
      method: methodOf(block.method, context),
      url: context.text(textOf(block.url).trim(), caps.url),
      query: linesOf(block.params, context),
      headers: linesOf(block.headers, context),
      auth: authOf(fieldsOf(fieldsOf(block.authorization)), context),
      ...bodyOf(fieldsOf(block.body), context),
      timeout: timeoutOf(fieldsOf(block.timeout)),
      retries: retriesOf(fieldsOf(block.retry_config), context),
      mapping: mappingOf(context),
    }
    return { data, ports: failing('success', 'failure', context) }
  },
}

function methodOf(value: unknown, context: NodeContext): HttpRequestData['method'] {
  const name = textOf(value).toUpperCase() || 'GET'
  const method = httpMethods.find((known) => known === name)
  if (!method) context.note(`The method '${clip(name, 40)}' can't be sent: it became GET.`)
  return method ?? 'GET'
}

function linesOf(value: unknown, context: NodeContext): HttpPair[] {
  const lines = textOf(value)
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  return pairsOf(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return colon < 0
        ? { key: line, value: '' }
        : { key: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() }
    }),
    context,
  )
}

function pairsOf(rows: readonly Fields[], context: NodeContext): HttpPair[] {
  if (rows.length > httpCaps.rows) context.note(`Only the first ${httpCaps.rows} of ${rows.length} rows are kept.`)
  return rows.slice(0, httpCaps.rows).map(({ key, value }) => ({
    id: context.id(),
    name: context.text(key, httpCaps.name),
    value: context.text(value, caps.setVariable),
  }))
}

function authOf(authorization: Fields, context: NodeContext): HttpRequestData['auth'] {
  const none = httpRequestDefaults().auth
  const { type, api_key, header } = fieldsOf(authorization.config)
  if (authorization.type !== 'api-key') return none
  const key = context.text(api_key, caps.setVariable)
  if (textOf(api_key) === '') context.note('Its key is not in the file: enter it.')
  if (type === 'bearer') return { ...none, type: 'bearer', token: key }
  if (type === 'basic') context.note('The key of its basic authorization was sent as it is: here it is a header.')
  return {
    ...none,
    type: 'header',
    name: context.text(type === 'custom' && textOf(header) ? header : 'Authorization', httpCaps.name),
    value: type === 'basic' ? context.text(`Basic ${textOf(api_key)}`, caps.setVariable) : key,
  }
}

function bodyOf(body: Fields, context: NodeContext): Pick<HttpRequestData, 'bodyType' | 'body' | 'fields'> {
  const { body: empty } = httpRequestDefaults()
  const items = listOf(body.data).map(fieldsOf)
  // the body is a text in older files, a list in newer ones
  const text = Array.isArray(body.data) ? textOf(items[0]?.value) : textOf(body.data)
  switch (body.type) {
    case 'form-data':
    case 'x-www-form-urlencoded': {
      if (items.some(({ type }) => type === 'file')) context.note('Files in its form are left out.')
      const rows = items.filter(({ type }) => type !== 'file')
      const fields = Array.isArray(body.data) ? pairsOf(rows, context) : linesOf(body.data, context)
      return { bodyType: body.type === 'form-data' ? 'form' : 'urlencoded', body: empty, fields }
    }
    case 'json':
    case 'raw-text': {
      const value = context.text(text, httpCaps.body)
      const isJson = body.type === 'json' && jsonProblem(dynamicValueToString(value, () => ANY_VALUE)) === null
      if (body.type === 'json' && !isJson) context.note('Its body is not JSON and is sent as a text.')
      return { bodyType: isJson ? 'json' : 'raw', body: value, fields: [] }
    }
    case 'binary':
      context.note('It sent a file: here it sends nothing.')
      return { bodyType: 'none', body: empty, fields: [] }
    default:
      return { bodyType: 'none', body: empty, fields: [] }
  }
}

function timeoutOf(timeout: Fields): number {
  const seconds = Math.round(
    numberOf(timeout.read) ?? numberOf(timeout.max_read_timeout) ?? httpRequestDefaults().timeout,
  )
  return Math.min(Math.max(seconds, httpTimeouts.least), httpTimeouts.most)
}

function retriesOf({ retry_enabled, max_retries }: Fields, context: NodeContext): number {
  if (retry_enabled !== true) return 0
  context.note('It was tried again after every error: here only where the server says that it is busy.')
  return Math.min(Math.max(Math.round(numberOf(max_retries) ?? 0), 0), httpCaps.retries)
}

/** The parts of the response that other nodes read. */
function mappingOf(context: NodeContext): HttpMapping[] {
  const names = new Set(context.readOutputs.map((output) => output.split('.')[0] ?? ''))
  return [...names].flatMap((name): HttpMapping[] => {
    const row = { id: context.id(), variableId: context.output(name) }
    if (name === 'body') return [{ ...row, from: 'body', path: '$' }]
    if (name === 'status_code') return [{ ...row, from: 'status', path: '' }]
    context.note(`Its output '${clip(name, 40)}' has no counterpart here and stays empty.`)
    return []
  })
}

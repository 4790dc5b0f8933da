import { httpMethods } from '../../engine/effects/http'
import { clip, fieldsOf, listOf, textOf } from '../../engine/interop/fields'
import type { NodeContext, NodeImporter } from '../../engine/interop/importer'
import { failing } from '../../engine/interop/nodes/exits'
import { noteOthers } from '../../engine/interop/settings'
import { caps } from '../../engine/values/caps'
import { dynamicValueToString } from '../../engine/values/dynamicValue'
import { ANY_VALUE, jsonProblem } from '../../engine/values/jsonProblem'
import { type HttpMapping, type HttpPair, type HttpRequestData, httpCaps, httpRequestDefaults } from './schema'

/** An HTTP request. Its credentials are stored by the installation, not in the file. */
export const httpRequestFromFlowise: NodeImporter = {
  product: 'flowise',
  types: ['httpAgentflow'],
  map(block, context) {
    noteOthers(
      block,
      ['id', 'type', 'method', 'url', 'headers', 'queryParams', 'bodyType', 'body', 'responseType', 'credential'],
      context,
    )
    const method = httpMethods.find((known) => known === (textOf(block.method).toUpperCase() || 'GET'))
    if (!method) context.note(`The method '${clip(textOf(block.method), 40)}' can't be sent: it became GET.`)
    if (textOf(block.credential)) context.note('What authorised it is not in the file: enter it under Authorization.')
    if (/^(?:arraybuffer|base64)$/.test(textOf(block.responseType)))
      context.note('The answer was a file: here it is read as a text.')
    const data: HttpRequestData = {
      ...httpRequestDefaults(),
      method: method ?? 'GET',
      url: context.text(textOf(block.url).trim(), caps.url),
      query: pairsOf(block.queryParams, context),
      headers: pairsOf(block.headers, context),
      ...bodyOf(method === 'GET' ? '' : textOf(block.bodyType), block.body, context),
      retries: 0,
      mapping: mappingOf(context),
    }
    return { data, ports: failing('success', 'failure', context) }
  },
}

function pairsOf(value: unknown, context: NodeContext): HttpPair[] {
  const rows = listOf(value)
    .map(fieldsOf)
    .filter(({ key }) => textOf(key) !== '')
  if (rows.length > httpCaps.rows) context.note(`Only the first ${httpCaps.rows} of ${rows.length} rows are kept.`)
  return rows.slice(0, httpCaps.rows).map((row) => ({
    id: context.id(),
    name: context.text(row.key, httpCaps.name),
    value: context.text(row.value, caps.setVariable),
  }))
}

function bodyOf(
  type: string,
  value: unknown,
  context: NodeContext,
): Pick<HttpRequestData, 'bodyType' | 'body' | 'fields'> {
  const { body: empty } = httpRequestDefaults()
  if (type === 'formData' || type === 'xWwwFormUrlencoded')
    return { bodyType: type === 'formData' ? 'form' : 'urlencoded', body: empty, fields: pairsOf(value, context) }
  if (textOf(value) === '' || (type !== 'json' && type !== 'raw')) return { bodyType: 'none', body: empty, fields: [] }
  const body = context.text(value, httpCaps.body)
  const isJson = type === 'json' && jsonProblem(dynamicValueToString(body, () => ANY_VALUE)) === null
  if (type === 'json' && !isJson) context.note('Its body is not JSON and is sent as a text.')
  return { bodyType: isJson ? 'json' : 'raw', body, fields: [] }
}

/** The parts of the response that other nodes read. */
function mappingOf(context: NodeContext): HttpMapping[] {
  return [...new Set(context.readOutputs)].flatMap((name): HttpMapping[] => {
    const row = { id: context.id(), variableId: context.output(name) }
    if (name === 'data') return [{ ...row, from: 'body', path: '$' }]
    if (name === 'status') return [{ ...row, from: 'status', path: '' }]
    context.note(`Its output '${clip(name, 40)}' has no counterpart here and stays empty.`)
    return []
  })
}

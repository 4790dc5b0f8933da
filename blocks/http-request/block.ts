import { type HttpAnswer, type HttpCall, httpEffect, NO_HTTP_ANSWER } from '../../engine/effects/http'
import { defineBlock } from '../../engine/flow/defineBlock'
import { call, note, read, setVariable, wait } from '../../engine/flow/steps'
import { isBlankValue } from '../../engine/values/dynamicValue'
import { httpRequestFromDify } from './fromDify'
import { httpRequestFromFlowise } from './fromFlowise'
import { segmentFromTypebot } from './fromTypebotSegment'
import { httpRequestFromTypebot } from './import'
import { plainSecrets } from './plainSecrets'
import { buildCall, isFinished, mappedValue, secretsOf, variablesOf } from './request'
import { httpRequestDefaults, httpRequestSchema } from './schema'
import { sealPlain } from './sealPlain'

/** A longer Retry-After counts as failure: somebody waits for the answer. */
const LONGEST_PAUSE = 600

/**
 * Sends an HTTP request, and saves parts of the response. Leaves by `failure` without a response and for a status of
 * 400 and above.
 */
export const httpRequest = defineBlock({
  kind: 'http-request',
  category: 'other',
  title: 'HTTP request',
  help: 'Calls an API and saves the response.',
  schema: httpRequestSchema,
  defaults: httpRequestDefaults,
  ports: () => [
    { id: 'success', label: 'Success' },
    { id: 'failure', label: 'Failure', fallback: 'success' },
  ],
  reads: variablesOf,
  secrets: secretsOf,
  sealPlain,
  plainSecrets,
  writes: ({ mapping }) =>
    mapping.flatMap((row) => (row.variableId !== null && isFinished(row) ? [row.variableId] : [])),
  problems: ({ url }) => (isBlankValue(url) ? [{ path: 'url', message: 'Enter a URL' }] : []),
  importers: [httpRequestFromTypebot, segmentFromTypebot, httpRequestFromDify, httpRequestFromFlowise],
  *run(data) {
    const request = buildCall(data, yield* read())
    const answer = 'problem' in request ? failed(request.problem) : yield* send(request, data.retries)
    // for testers; the flow goes on by Failure
    if (answer.code === 'missing_secret' && answer.error) yield* note(answer.error)
    for (const row of data.mapping) {
      if (row.variableId !== null && isFinished(row)) yield* setVariable(row.variableId, mappedValue(row, answer))
    }
    return answer.ok ? 'success' : 'failure'
  },
})

/** Retries carry the first attempt's key, so that a server that has acted on it recognises them. */
function* send(request: HttpCall, retries: number) {
  let answer = yield* call(httpEffect, request)
  const { key } = answer
  for (let n = 0; n < retries; n++) {
    const pause = pauseAfter(answer, n)
    if (pause === null) break
    if (pause > 0) yield* wait(pause)
    answer = yield* call(httpEffect, { ...request, ...(key && { idempotencyKey: key }) })
  }
  return answer
}

/** Seconds until the next attempt: as the server demands, otherwise 1, 2, 4 …; null if a retry is useless. */
function pauseAfter({ status, retryAfter }: HttpAnswer, tries: number): number | null {
  if (status !== 429 && status !== 503) return null
  const pause = retryAfter ?? 2 ** tries
  return pause > LONGEST_PAUSE ? null : pause
}

const failed = (error: string): HttpAnswer => ({ ...NO_HTTP_ANSWER, error })

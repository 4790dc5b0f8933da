import type { FastifyInstance } from 'fastify'
import { ApiError } from './errors'

/** A flow is sent as text, so what callers write by hand is never this deep. */
const MAX_DEPTH = 64

/** JSON is all that the server reads: no text, and nothing that is nested deeply or writes to a prototype. */
export function readJsonOnly(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, undefined)
    if (depthOf(body) > MAX_DEPTH) return done(new ApiError('nested_too_deeply'))
    return parse(request, body, done)
  })
}

/** Counted on the text: a parser, or a schema that descends, would be the first to suffer. */
function depthOf(json: string): number {
  let depth = 0
  let deepest = 0
  let quoted = false
  for (let at = 0; at < json.length; at++) {
    const char = json[at]
    if (quoted) {
      if (char === '\\') at++
      else if (char === '"') quoted = false
    } else if (char === '"') quoted = true
    else if (char === '[' || char === '{') deepest = Math.max(deepest, ++depth)
    else if (char === ']' || char === '}') depth--
  }
  return deepest
}

import { OutboundError, type OutboundErrorCode } from './errors'

/** Converts a network error to an OutboundError. */
export function explain(error: unknown, url: string): OutboundError {
  const host = URL.canParse(url) ? new URL(url).host : url
  for (const cause of causes(error)) {
    if (cause instanceof OutboundError) return cause
    const code = 'code' in cause ? String(cause.code) : ''
    const known = byCode.get(code) ?? (cause.name === 'HTTPParserError' ? 'no_http' : undefined)
    if (known) return new OutboundError(known, host, { cause: error })
    if (isTls(code)) return new OutboundError('tls', cause.message, { cause: error })
  }
  return new OutboundError('unreachable', host, { cause: error })
}

/** An error, its causes, and the parts of aggregate errors (one for each address of a name). */
function* causes(error: unknown, depth = 0): Generator<Error> {
  if (!(error instanceof Error) || depth > 4) return
  yield error
  yield* causes(error.cause, depth + 1)
  for (const part of error instanceof AggregateError ? error.errors : []) yield* causes(part, depth + 1)
}

const byCode = new Map<string, OutboundErrorCode>([
  ['ENOTFOUND', 'unknown_host'],
  ['EAI_AGAIN', 'unknown_host'],
  ['ENODATA', 'unknown_host'],
  ['ECONNREFUSED', 'refused'],
  ['ECONNRESET', 'closed'],
  ['EPIPE', 'closed'],
  ['UND_ERR_SOCKET', 'closed'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'closed'],
  ['UND_ERR_HEADERS_OVERFLOW', 'no_http'],
  ['UND_ERR_INVALID_ARG', 'invalid_header'],
])

const isTls = (code: string): boolean =>
  /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|EPROTO)/.test(code)

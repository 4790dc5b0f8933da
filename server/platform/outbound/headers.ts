import { OutboundError } from './errors'

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,256}$/
/** Hop-by-hop and routing headers: setting them would allow request smuggling. */
const OF_THE_CONNECTION =
  /^(?:host|connection|content-length|transfer-encoding|keep-alive|upgrade|expect|te|trailer|via|http2-settings|proxy-.*)$/

/** Headers ready to send: names in lower case, values in UTF-8. Throws OutboundError. */
export function sendableHeaders(pairs: readonly (readonly [string, string])[]): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [given, value] of pairs) {
    const name = given.trim().toLowerCase()
    if (!NAME.test(name)) throw new OutboundError('invalid_header', given)
    if (OF_THE_CONNECTION.test(name)) throw new OutboundError('forbidden_header', given)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a value may not hold
    if (/[\x00-\x08\x0a-\x1f\x7f]/.test(value)) throw new OutboundError('invalid_header', given)
    const sent = Buffer.from(value.trim(), 'utf8').toString('latin1')
    headers[name] = Object.hasOwn(headers, name) ? `${headers[name]}, ${sent}` : sent
  }
  return headers
}

/** Received headers by lower-case name, repeated ones joined by a comma. */
export const plainHeaders = (headers: Record<string, string | string[] | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  )

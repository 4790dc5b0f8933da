import { lookup } from 'node:dns'
import { isIP } from 'node:net'
import type { ServerContext } from '../../../platform/context'
import type { AllowedNetwork } from '../../../platform/outbound/addresses'
import { OutboundError } from '../../../platform/outbound/errors'
import { guardLookup } from '../../../platform/outbound/guardLookup'
import { networksOf } from '../../../platform/outbound/projectNetworks'
import { webAddressProblem } from '../../../platform/outbound/webAddress'

/** ms for resolving a host: a person waits. */
const PATIENCE = 4_000

/**
 * Validates a user-given page address, with the message for its field: not an address, a private network, an unknown
 * host. Null if the page may be readable, as far as can be known in advance.
 */
export async function addressProblem(
  context: Pick<ServerContext, 'db' | 'config'>,
  projectId: string,
  text: string,
): Promise<string | null> {
  const allowed = await networksOf(context, projectId)
  const problem = webAddressProblem(text, allowed)
  if (problem) return problem
  try {
    const { hostname } = new URL(text)
    // a name without a dot is not on the internet, but may be in the operator's network
    if (!isIP(hostname.replace(/^\[|\]$/g, ''))) await resolve(hostname, allowed)
    return null
  } catch (error) {
    if (error instanceof OutboundError) return error.message
    throw error
  }
}

/** A slow or unavailable resolver proves nothing: that is found when the page is read. */
function resolve(hostname: string, allowed: readonly AllowedNetwork[]): Promise<void> {
  return new Promise((done, fail) => {
    const timer = setTimeout(done, PATIENCE)
    guardLookup(allowed, lookup)(hostname, { all: true }, (error) => {
      clearTimeout(timer)
      if (error instanceof OutboundError) fail(error)
      else if (error && 'code' in error && error.code === 'ENOTFOUND') fail(new OutboundError('unknown_host', hostname))
      else done()
    })
  })
}

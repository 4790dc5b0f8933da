import { lookup } from 'node:dns'
import { isIP } from 'node:net'
import type { ServerContext } from '../../../platform/context'
import type { AllowedNetwork } from '../../../platform/outbound/addresses'
import { OutsideError } from '../../../platform/outbound/errors'
import { guardLookup } from '../../../platform/outbound/guardLookup'
import { networksOf } from '../../../platform/outbound/projectNetworks'
import { webAddressProblem } from '../../../platform/outbound/webAddress'

/** ms for the name of a host: whoever typed it waits. */
const PATIENCE = 4_000

/**
 * What is wrong with the address of a page that somebody gives, as it is said at its field: no address, one of a private network, a name
 * that nobody has. Null where a page may be read, as far as can be told before.
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
    // a name without a dot is none of the internet, but the operator's network may have it
    if (!isIP(hostname.replace(/^\[|\]$/g, ''))) await resolve(hostname, allowed)
    return null
  } catch (error) {
    if (error instanceof OutsideError) return error.message
    throw error
  }
}

/** A resolver that is slow or away says nothing about the name: that is found when the page is read. */
function resolve(hostname: string, allowed: readonly AllowedNetwork[]): Promise<void> {
  return new Promise((done, fail) => {
    const timer = setTimeout(done, PATIENCE)
    guardLookup(allowed, lookup)(hostname, { all: true }, (error) => {
      clearTimeout(timer)
      if (error instanceof OutsideError) fail(error)
      else if (error && 'code' in error && error.code === 'ENOTFOUND') fail(new OutsideError('unknown_host', hostname))
      else done()
    })
  })
}

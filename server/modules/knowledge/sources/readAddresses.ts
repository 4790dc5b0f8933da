import { ApiError } from '../../../platform/errors'
import type { AllowedNetwork } from '../../../platform/outbound/addresses'
import { webAddressProblem } from '../../../platform/outbound/webAddress'

/**
 * The addresses that were given, in one spelling.
 * @param allowed private networks that the project may call (`networksOf`)
 * @throws ApiError `invalid` with what is wrong at each field
 */
export function readAddresses(texts: readonly string[], allowed: readonly AllowedNetwork[]): string[] {
  const fields: Record<string, string> = {}
  const urls = texts.flatMap((text, at) => {
    const problem = webAddressProblem(text, allowed)
    if (!problem) return withoutPlace(new URL(text))
    fields[`urls.${at}`] = problem
    return []
  })
  if (Object.keys(fields).length > 0) throw new ApiError('invalid', { fields })
  return urls
}

/** What stands behind # names a place in a page. */
function withoutPlace(url: URL): string {
  url.hash = ''
  return url.href
}

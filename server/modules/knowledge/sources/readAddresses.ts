import { ApiError } from '../../../platform/errors'
import type { AllowedNetwork } from '../../../platform/outbound/addresses'
import { webAddressProblem } from '../../../platform/outbound/webAddress'

/**
 * Validates and normalises the given addresses.
 * @param allowed private networks that the project may call (`networksOf`)
 * @throws ApiError `invalid` with the problem of each field
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

/** Removes the fragment. */
function withoutPlace(url: URL): string {
  url.hash = ''
  return url.href
}

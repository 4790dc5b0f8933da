import { isIP } from 'node:net'
import { parseUrl, ruleMessages } from '../../../engine/values/rules'
import type { AllowedNetwork } from './addresses'
import { OutboundError } from './errors'
import { checkUrl } from './guard'

/**
 * Validates a user-given page address by the URL rule of SPEC.md 5 and by the guard: a sentence for its field, or null.
 * If the operator opened private networks, IP addresses and names without a dot are valid too: hosts in them may have
 * no others.
 */
export function webAddressProblem(text: string, allowed: readonly AllowedNetwork[]): string | null {
  if (!/^https?:\/\//i.test(text)) return ruleMessages.url
  try {
    const { hostname } = checkUrl(text, allowed)
    const host = hostname.replace(/^\[|\]$/g, '')
    const isOwn = allowed.length > 0 && (isIP(host) !== 0 || /^[a-z0-9-]+$/.test(host))
    return isOwn || parseUrl(text) !== null ? null : ruleMessages.url
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return error.code === 'invalid_url' ? ruleMessages.url : error.message
  }
}

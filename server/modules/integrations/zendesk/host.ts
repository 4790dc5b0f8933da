import type { VendorSettings } from '../../../platform/config/vendorSettings'
import type { FieldRule, Filled } from '../connections/filled'

/** The name of an account in its address: nothing else may become a part of where tokens are sent. */
const SUBDOMAIN = /^[a-z0-9][a-z0-9-]{1,62}$/i

export const subdomainField: FieldRule = {
  name: 'subdomain',
  max: 63,
  problem: (value) =>
    SUBDOMAIN.test(value)
      ? null
      : `“${value}” is not a sub-domain: enter what stands before “.zendesk.com”, in letters, digits and hyphens`,
}

/** What of a valid sub-domain identifies the account. */
export const subdomainOf = ({ subdomain = '' }: Filled): string => subdomain.toLowerCase()

/** Where an account is. @returns an address without a path; empty while no sub-domain is known */
export function hostOf({ zendesk }: VendorSettings, filled: Filled): string {
  if (!SUBDOMAIN.test(filled.subdomain ?? '')) return ''
  return zendesk.url ?? `https://${subdomainOf(filled)}.zendesk.com`
}

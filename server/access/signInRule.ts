import { domainToASCII } from 'node:url'

/** What a project asks of how its members log in. */
export interface SignInRule {
  id: string
  second_factor_required: boolean
  /** members with an address there come by the project's identity provider */
  sign_on_domains: readonly string[]
  /** of the member: the provider has brought them, whatever their address is now */
  by_sign_on: boolean
}

/** How somebody is here. */
export interface SignedIn {
  email: string
  /** a second factor was proved; of an API key: its holder has one */
  secured?: boolean
  /** by which project's identity provider the session was opened */
  signOn?: string | null
  /** by an API key of the project, which ends with the membership */
  byKey?: boolean
  /** an operator looks on, by their own session */
  viewer?: unknown
}

/**
 * Whether a project opens to a member who has logged in like that. The project's own provider counts as a second
 * factor there, and nowhere else: whoever runs it is trusted by this project's owners alone.
 * @returns the error's code; null: it opens
 */
export function refusalOfSignIn(
  { id, second_factor_required, sign_on_domains, by_sign_on }: SignInRule,
  { email, secured, signOn, byKey, viewer }: SignedIn,
): 'second_factor_required' | 'sign_on_required' | null {
  if (signOn === id) return null
  if (second_factor_required && !secured) return 'second_factor_required'
  if (byKey || viewer || sign_on_domains.length === 0) return null
  return by_sign_on || sign_on_domains.includes(domainOfEmail(email)) ? 'sign_on_required' : null
}

/** What stands behind the @ of an address, in lower case and as DNS has it. */
export const domainOfEmail = (email: string): string => {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  return domainToASCII(domain) || domain
}

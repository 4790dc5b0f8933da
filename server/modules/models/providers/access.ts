import type { Provider } from '../../../contracts/ai'

/** How a provider is reached for one project. */
export interface ProviderAccess {
  provider: Provider
  /** null: the server wants none */
  apiKey: string | null
  /** without a slash at the end */
  baseUrl: string
  /** the guarded one, for addresses that a project gave; null: the address is the operator's or the provider's own */
  fetch: typeof globalThis.fetch | null
  /** what to check when the provider refuses: names of variables or of fields */
  names: { key: string; model: string; baseUrl: string }
}

/** What a project's people look at. */
export const projectNames = {
  key: 'the key in the AI settings',
  model: 'the model in the AI settings',
  baseUrl: 'the address in the AI settings',
}

export const hostOf = ({ baseUrl }: Pick<ProviderAccess, 'baseUrl'>): string => new URL(baseUrl).host

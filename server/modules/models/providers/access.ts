import type { Provider } from '../../../contracts/ai'

/** How to reach a provider for one project. */
export interface ProviderAccess {
  provider: Provider
  /** null: the server needs none */
  apiKey: string | null
  /** without a trailing slash */
  baseUrl: string
  /** the guarded one, for addresses given by a project; null: the address is the operator's or the provider's */
  fetch: typeof globalThis.fetch | null
  /** settings to check if the provider refuses: names of variables or fields */
  names: { key: string; model: string; baseUrl: string }
}

/** The fields of a project's settings. */
export const projectNames = {
  key: 'the key in the AI settings',
  model: 'the model in the AI settings',
  baseUrl: 'the address in the AI settings',
}

export const hostOf = ({ baseUrl }: Pick<ProviderAccess, 'baseUrl'>): string => new URL(baseUrl).host

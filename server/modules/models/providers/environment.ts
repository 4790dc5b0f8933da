import type { Model } from '../../../contracts/ai'
import {
  type AiSettings,
  type KeyedProvider,
  type ProviderSettings,
  providerVariables,
} from '../../../platform/config/aiSettings'
import type { ProviderAccess } from './access'
import { ENVIRONMENT_MODEL, OWN_MODEL_CREDITS } from './catalogue'

/** The server of `AI_BASE_URL`. Its address is set by the operator, so it may be in a private network. */
export const environmentAccess = ({ baseUrl, apiKey }: AiSettings): ProviderAccess => ({
  provider: 'openai-compatible',
  apiKey,
  baseUrl,
  fetch: null,
  names: { key: 'AI_API_KEY', model: 'AI_MODEL', baseUrl: 'AI_BASE_URL' },
})

/** The model of `AI_MODEL`. Most such servers support tool calls. */
export const environmentModel = ({ model }: AiSettings): Model => ({
  id: ENVIRONMENT_MODEL,
  name: model,
  provider: 'openai-compatible',
  supports_actions: true,
  credits: OWN_MODEL_CREDITS,
  context: null,
  premium: false,
  available: true,
})

/** A provider with a key in the environment; null: there is none. */
export function keyedAccess(provider: KeyedProvider, { apiKey, baseUrl }: ProviderSettings): ProviderAccess | null {
  const names = providerVariables[provider]
  if (apiKey === null) return null
  return {
    provider,
    apiKey,
    baseUrl,
    fetch: null,
    names: { key: names.key, model: 'the model', baseUrl: names.baseUrl },
  }
}

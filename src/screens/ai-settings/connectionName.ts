import { useTranslation } from 'react-i18next'
import type { Connection } from '../../../server/contracts/ai'

/** A connection's name: its provider, or the host of an own server. */
export function useConnectionName() {
  const { t } = useTranslation('aiSettings')
  return ({ provider, base_url }: Pick<Connection, 'provider' | 'base_url'>): string =>
    provider === 'openai-compatible' && base_url && URL.canParse(base_url)
      ? new URL(base_url).host
      : t(`provider.${provider}`)
}

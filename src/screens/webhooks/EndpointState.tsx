import { useTranslation } from 'react-i18next'
import type { WebhookEndpoint } from '../../../server/contracts/webhooks'
import { Badge } from '../../ui/Badge'
import styles from './webhooks.module.css'

/** How an endpoint is: on, off, failing, and what waits. */
export function EndpointState({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { t } = useTranslation('webhooks')
  const { enabled, stopped, failures, pending } = endpoint
  return (
    <span className={styles.badges}>
      {pending > 0 && <Badge>{t('state.pending', { count: pending })}</Badge>}
      {stopped !== null ? (
        <Badge tone="danger" dot>
          {t('state.stopped')}
        </Badge>
      ) : !enabled ? (
        <Badge dot>{t('state.off')}</Badge>
      ) : failures > 0 ? (
        <Badge tone="warning" dot>
          {t('state.failing')}
        </Badge>
      ) : (
        <Badge tone="success" dot>
          {t('state.on')}
        </Badge>
      )}
    </span>
  )
}

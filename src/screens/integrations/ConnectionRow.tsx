import { Activity, Unplug } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { VendorConnection } from '../../../server/contracts/integrations'
import { formatMoment, formatSince } from '../../i18n/format'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { IconButton } from '../../ui/IconButton'
import styles from './integrations.module.css'

interface ConnectionRowProps {
  connection: VendorConnection
  /** empty: no flow uses it; null: unknown */
  usedBy: string | null
  checking: boolean
  onCheck: () => void
  /** null without permission */
  onReconnect: (() => void) | null
  onDisconnect: (() => void) | null
}

/** An account: whether it works, who connected it, what it may do, and which flows use it. */
export function ConnectionRow({
  connection,
  usedBy,
  checking,
  onCheck,
  onReconnect,
  onDisconnect,
}: ConnectionRowProps) {
  const { t } = useTranslation('integrations')
  const { account, problem, sandbox, notice, connected_at, connected_by, used_at, scopes } = connection
  return (
    <li className={styles.row}>
      <div className={styles.about}>
        <div className={styles.name}>
          <strong>{account}</strong>
          <Badge tone={problem ? 'danger' : 'success'} dot>
            {t(problem ? 'state.reconnect' : 'state.works')}
          </Badge>
          {sandbox && <Badge tone="warning">{t('sandbox.mark')}</Badge>}
        </div>
        {problem && (
          <p className={styles.problem} role="alert">
            {problem.message}
          </p>
        )}
        {notice && <p className={styles.notice}>{notice}</p>}
        <span className={styles.faint} title={formatMoment(connected_at)}>
          {t(connected_by ? 'connectedBy' : 'connected', { when: formatSince(connected_at), name: connected_by })}
          {used_at && ` · ${t('used', { when: formatSince(used_at) })}`}
        </span>
        {usedBy !== null && (
          <span className={styles.faint}>{usedBy === '' ? t('unused') : t('usedIn', { flows: usedBy })}</span>
        )}
        {scopes.length > 0 && (
          <details className={styles.scopes}>
            <summary>{t('permissions', { count: scopes.length })}</summary>
            <ul>
              {scopes.map((scope) => (
                <li key={scope}>
                  <code>{scope}</code>
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
      <div className={styles.actions}>
        {problem && onReconnect && (
          <Button size="s" design="primary" onClick={onReconnect}>
            {t('reconnect')}
          </Button>
        )}
        <IconButton
          size="s"
          label={t('check', { account })}
          icon={<Activity />}
          disabled={checking}
          onClick={onCheck}
        />
        {onDisconnect && (
          <IconButton size="s" label={t('disconnectOne', { account })} icon={<Unplug />} onClick={onDisconnect} />
        )}
      </div>
    </li>
  )
}

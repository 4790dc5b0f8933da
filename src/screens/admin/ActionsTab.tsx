import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { actionsQuery } from '../../api/admin'
import { formatMoment } from '../../i18n/format'
import { Card } from '../../ui/Card'
import styles from './admin.module.css'
import { Loaded } from './Loaded'

/** What operators did, newest first. */
export function ActionsTab() {
  const { t } = useTranslation('admin')
  return (
    <Loaded query={useQuery(actionsQuery)}>
      {(actions) => (
        <Card
          title={t('actions.title')}
          description={t(actions.length === 0 ? 'actions.none' : 'actions.description')}
          flush
        >
          {actions.length > 0 && (
            <ul className={styles.rows} aria-label={t('actions.title')}>
              {actions.map(({ id, at, operator, action, target, details }) => (
                <li key={id} className={styles.row}>
                  <div className={styles.words}>
                    <strong>{t(`actions.${action}`)}</strong>
                    <span>{details ? `${target}: ${details}` : target}</span>
                  </div>
                  <span className={styles.faint}>
                    {operator ?? t('actions.commandLine')} · <time dateTime={at}>{formatMoment(at)}</time>
                  </span>
                </li>
              ))}
            </ul>
          )}
        </Card>
      )}
    </Loaded>
  )
}

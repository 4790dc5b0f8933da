import { useQuery } from '@tanstack/react-query'
import { Server } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useConnectionChanges } from '../../api/ai'
import { failureText } from '../../api/failure'
import { localServersQuery } from '../../api/localModels'
import { Button } from '../../ui/Button'
import { notify } from '../../ui/notify'
import styles from './aiSettings.module.css'

/** Servers of models that were found on this machine, each connected by one press. */
export function LocalServers({ pgid }: { pgid: string }) {
  const { t } = useTranslation('aiSettings')
  const { t: common } = useTranslation()
  const { data } = useQuery(localServersQuery(pgid))
  const { add } = useConnectionChanges(pgid)
  if (!data?.servers.length) return null
  return (
    <ul className={styles.list} aria-label={t('servers.title')}>
      {data.servers.map(({ name, base_url, models, embedding_models }) => (
        <li key={base_url} className={styles.item}>
          <Server size={18} aria-hidden="true" className={styles.icon} />
          <div className={styles.words}>
            <div className={styles.name}>{t('servers.found', { name })}</div>
            <p className={styles.facts}>{base_url}</p>
            <p className={styles.facts}>
              {models.length > 0
                ? t('providers.models', { names: models.slice(0, 5).join(', ') })
                : t('servers.noModels')}
              {embedding_models[0] && ` · ${t('providers.embedding', { model: embedding_models[0] })}`}
            </p>
          </div>
          <Button
            size="s"
            loading={add.isPending}
            disabled={models.length + embedding_models.length === 0}
            aria-label={t('servers.connectTo', { name })}
            onClick={() =>
              add.mutate(
                {
                  provider: 'openai-compatible',
                  base_url,
                  models: models.map((model) => ({ name: model, supports_actions: false })),
                  embedding_model: embedding_models[0] ?? null,
                },
                {
                  onSuccess: () => notify.success(t('dialog.connected', { name })),
                  onError: (error) => notify.error(failureText(error, common('errors.message'))),
                },
              )
            }
          >
            {t('servers.connect')}
          </Button>
        </li>
      ))}
    </ul>
  )
}

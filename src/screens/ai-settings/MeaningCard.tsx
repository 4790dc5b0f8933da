import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LocalModel } from '../../../server/contracts/localModels'
import { useCan } from '../../api/account'
import { failureText } from '../../api/failure'
import { embeddingsQuery, localModelsQuery, useLocalModelChanges } from '../../api/localModels'
import { formatNumber } from '../../i18n/format'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { notify } from '../../ui/notify'
import styles from './aiSettings.module.css'
import { LocalModelDialog } from './LocalModelDialog'
import { LocalModelRow } from './LocalModelRow'
import { LocalServers } from './LocalServers'

/** By what meanings are compared: models in files on this machine, and servers found there. */
export function MeaningCard({ pgid }: { pgid: string }) {
  const { t } = useTranslation('aiSettings')
  const { t: common } = useTranslation()
  const mayUpdate = useCan('ai.update')
  const [adding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<LocalModel | null>(null)
  const { data, error, refetch } = useQuery(localModelsQuery(pgid))
  if (!data)
    return error ? (
      <ErrorCard
        message={failureText(error, common('errors.message'))}
        action={{ label: common('actions.retry'), onClick: () => void refetch() }}
      />
    ) : (
      <LoadingState rows={1} height={120} />
    )
  const { models, allowed, embedder } = data
  return (
    <Card
      flush
      title={t('meaning.title')}
      description={t('meaning.description')}
      actions={
        mayUpdate &&
        allowed && (
          <Button icon={<Plus />} onClick={() => setAdding(true)}>
            {t('meaning.add')}
          </Button>
        )
      }
    >
      <EmbeddingState pgid={pgid} embedder={embedder} />
      {models.length > 0 && (
        <ul className={styles.list} aria-label={t('meaning.title')}>
          {models.map((model) => (
            <LocalModelRow
              key={model.gid}
              pgid={pgid}
              model={model}
              onRemove={mayUpdate ? () => setRemoving(model) : null}
            />
          ))}
        </ul>
      )}
      {mayUpdate && <LocalServers pgid={pgid} />}
      {!allowed && <p className={styles.empty}>{t('meaning.notAllowed')}</p>}
      {adding && <LocalModelDialog pgid={pgid} onClose={() => setAdding(false)} />}
      {removing && <RemoveDialog pgid={pgid} model={removing} onClose={() => setRemoving(null)} />}
    </Card>
  )
}

/** Which model compares meanings now, and how far the passages are embedded by it. */
function EmbeddingState({ pgid, embedder }: { pgid: string; embedder: string | null }) {
  const { t } = useTranslation('aiSettings')
  const { data } = useQuery(embeddingsQuery(pgid))
  if (embedder === null) return <p className={styles.state}>{t('meaning.builtIn')}</p>
  const { embedded, passages } = data ?? { embedded: 0, passages: 0 }
  const part = passages === 0 ? 1 : embedded / passages
  return (
    <div className={styles.state} role="status">
      <div className={styles.barHead}>
        <span>{t('meaning.by', { name: embedder })}</span>
        {data && (
          <span className={styles.number}>
            {passages === 0
              ? t('meaning.noPassages')
              : t('meaning.embedded', { embedded: formatNumber(embedded), passages: formatNumber(passages) })}
          </span>
        )}
      </div>
      {part < 1 && (
        <>
          <div aria-hidden="true" className={styles.bar}>
            <div className={styles.filled} style={{ width: `${part * 100}%` }} />
          </div>
          <p className={styles.note}>{t('meaning.meanwhile')}</p>
        </>
      )}
    </div>
  )
}

function RemoveDialog({ pgid, model, onClose }: { pgid: string; model: LocalModel; onClose: () => void }) {
  const { t } = useTranslation('aiSettings')
  const { t: common } = useTranslation()
  const { remove } = useLocalModelChanges(pgid)
  const { name } = model
  return (
    <ConfirmDialog
      opened
      danger
      title={t('meaning.removeTitle', { name })}
      message={t(model.in_use ? 'meaning.removeUsed' : 'meaning.removeMessage')}
      confirm={t('meaning.remove')}
      loading={remove.isPending}
      error={remove.error ? failureText(remove.error, common('errors.message')) : undefined}
      onConfirm={() =>
        remove.mutate(model.gid, {
          onSuccess: () => {
            notify.success(t('meaning.removed', { name }))
            onClose()
          },
        })
      }
      onClose={onClose}
    />
  )
}

import { useQuery } from '@tanstack/react-query'
import { Ellipsis, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Connection } from '../../../server/contracts/ai'
import { useCan } from '../../api/account'
import { connectionsQuery, useConnectionChanges } from '../../api/ai'
import { failureText } from '../../api/failure'
import { formatDate } from '../../i18n/format'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { ErrorCard } from '../../ui/ErrorCard'
import { IconButton } from '../../ui/IconButton'
import { LoadingState } from '../../ui/LoadingState'
import { Menu, MenuEntry } from '../../ui/Menu'
import { notify } from '../../ui/notify'
import styles from './aiSettings.module.css'
import { ConnectionDialog } from './ConnectionDialog'
import { useConnectionName } from './connectionName'

/** The project's providers, and those of the installation. */
export function ProvidersCard({ pgid }: { pgid: string }) {
  const { t } = useTranslation('aiSettings')
  const { t: common } = useTranslation()
  const mayUpdate = useCan('ai.update')
  const [open, setOpen] = useState<'add' | Connection | null>(null)
  const [removing, setRemoving] = useState<Connection | null>(null)
  const { data, error, refetch } = useQuery(connectionsQuery(pgid))
  if (!data)
    return error ? (
      <ErrorCard
        message={failureText(error, common('errors.message'))}
        action={{ label: common('actions.retry'), onClick: () => void refetch() }}
      />
    ) : (
      <LoadingState rows={1} height={120} />
    )
  const { connections, environment } = data
  return (
    <Card
      flush
      title={t('providers.title')}
      description={t('providers.description')}
      actions={
        mayUpdate && (
          <Button icon={<Plus />} onClick={() => setOpen('add')}>
            {t('providers.add')}
          </Button>
        )
      }
    >
      {connections.length + environment.length === 0 ? (
        <p className={styles.empty}>{t('providers.empty')}</p>
      ) : (
        <ul className={styles.list} aria-label={t('providers.title')}>
          {connections.map((connection) => (
            <Row
              key={connection.gid}
              connection={connection}
              onChange={mayUpdate ? () => setOpen(connection) : null}
              onRemove={() => setRemoving(connection)}
            />
          ))}
          {environment.map(({ provider, model }) => (
            <li key={`${provider}.${model}`} className={styles.item}>
              <div className={styles.words}>
                <div className={styles.name}>
                  {t(`provider.${provider}`)} <Badge>{t('providers.installation')}</Badge>
                </div>
                <p className={styles.facts}>
                  {model === null ? t('providers.installationHint') : t('providers.models', { names: model })}
                </p>
              </div>
            </li>
          ))}
        </ul>
      )}
      {open && (
        <ConnectionDialog
          pgid={pgid}
          connection={open === 'add' ? null : open}
          taken={connections.map(({ provider }) => provider)}
          onClose={() => setOpen(null)}
        />
      )}
      {removing && <RemoveDialog pgid={pgid} connection={removing} onClose={() => setRemoving(null)} />}
    </Card>
  )
}

interface RowProps {
  connection: Connection
  /** null: read-only */
  onChange: (() => void) | null
  onRemove: () => void
}

function Row({ connection, onChange, onRemove }: RowProps) {
  const { t } = useTranslation('aiSettings')
  const name = useConnectionName()(connection)
  const { key_preview, models, embedding_model, speech_model, base_url, created_at } = connection
  const facts = [
    key_preview === null
      ? t('providers.noKey')
      : key_preview === ''
        ? t('providers.keyHidden')
        : t('providers.key', { end: key_preview }),
    ...(base_url === null ? [] : [base_url]),
    t('providers.since', { day: formatDate(created_at) }),
  ]
  return (
    <li className={styles.item}>
      <div className={styles.words}>
        <div className={styles.name}>{name}</div>
        <p className={styles.facts}>{facts.join(' · ')}</p>
        {models.length > 0 && (
          <p className={styles.facts}>
            {t('providers.models', { names: models.map((model) => model.name).join(', ') })}
          </p>
        )}
        {embedding_model && <p className={styles.facts}>{t('providers.embedding', { model: embedding_model })}</p>}
        {speech_model && <p className={styles.facts}>{t('providers.speech', { model: speech_model })}</p>}
      </div>
      {onChange && (
        <Menu width={180} position="bottom-end">
          <Menu.Target>
            <IconButton size="s" label={t('providers.actions', { name })} icon={<Ellipsis />} tooltip={false} />
          </Menu.Target>
          <Menu.Dropdown>
            <MenuEntry leftSection={<Pencil size={15} />} onClick={onChange}>
              {t('providers.change')}
            </MenuEntry>
            <MenuEntry danger leftSection={<Trash2 size={15} />} onClick={onRemove}>
              {t('providers.remove')}
            </MenuEntry>
          </Menu.Dropdown>
        </Menu>
      )}
    </li>
  )
}

function RemoveDialog({ pgid, connection, onClose }: { pgid: string; connection: Connection; onClose: () => void }) {
  const { t } = useTranslation('aiSettings')
  const { t: common } = useTranslation()
  const name = useConnectionName()(connection)
  const { remove } = useConnectionChanges(pgid)
  return (
    <ConfirmDialog
      opened
      danger
      title={t('providers.removeTitle', { name })}
      message={t('providers.removeMessage')}
      confirm={t('providers.remove')}
      loading={remove.isPending}
      error={remove.error ? failureText(remove.error, common('errors.message')) : undefined}
      onConfirm={() =>
        remove.mutate(connection.gid, {
          onSuccess: () => {
            notify.success(t('providers.removed', { name }))
            onClose()
          },
        })
      }
      onClose={onClose}
    />
  )
}

import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ToolServer } from '../../../server/contracts/tool-servers'
import { useCan } from '../../api/account'
import { failureText } from '../../api/failure'
import { toolServersQuery, useToolServerChanges } from '../../api/toolServers'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { ToolServerDialog } from './ToolServerDialog'
import { type Asked, ToolServerRow } from './ToolServerRow'
import { ToolTestDialog } from './ToolTestDialog'
import styles from './toolServers.module.css'

/** The MCP servers that the chatbot's model may use in addition to its actions. */
export function ToolServers({ pgid, cgid }: { pgid: string; cgid: string }) {
  const { t } = useTranslation('toolServers')
  const { t: common } = useTranslation()
  const mayAdd = useCan('actions.create')
  const { data, error, refetch } = useQuery(toolServersQuery(pgid, cgid))
  const [asked, setAsked] = useState<Asked | { what: 'add' } | null>(null)
  const close = () => setAsked(null)
  return (
    <Card
      flush
      title={t('title')}
      description={t('hint')}
      actions={
        mayAdd && (
          <Button icon={<Plus />} onClick={() => setAsked({ what: 'add' })}>
            {t('add')}
          </Button>
        )
      }
    >
      {error ? (
        <ErrorCard
          message={failureText(error, t('loadFailed'))}
          action={{ label: common('actions.retry'), onClick: () => void refetch() }}
        />
      ) : !data ? (
        <LoadingState rows={2} height={48} />
      ) : data.length === 0 ? (
        <p className={styles.empty}>{t('empty')}</p>
      ) : (
        <ul className={styles.servers}>
          {data.map((server) => (
            <ToolServerRow key={server.gid} pgid={pgid} cgid={cgid} server={server} onAsk={setAsked} />
          ))}
        </ul>
      )}
      {(asked?.what === 'add' || asked?.what === 'token') && (
        <ToolServerDialog
          pgid={pgid}
          cgid={cgid}
          server={asked.what === 'token' ? asked.server : null}
          onClose={close}
        />
      )}
      {asked?.what === 'try' && (
        <ToolTestDialog pgid={pgid} cgid={cgid} server={asked.server} tool={asked.tool} onClose={close} />
      )}
      {asked?.what === 'remove' && <RemoveServer pgid={pgid} cgid={cgid} server={asked.server} onClose={close} />}
    </Card>
  )
}

function RemoveServer({
  pgid,
  cgid,
  server: { gid, name },
  onClose,
}: {
  pgid: string
  cgid: string
  server: ToolServer
  onClose: () => void
}) {
  const { t } = useTranslation('toolServers')
  const { t: common } = useTranslation()
  const { remove } = useToolServerChanges(pgid, cgid)
  return (
    <ConfirmDialog
      opened
      danger
      title={t('removing.title', { name })}
      message={t('removing.message')}
      confirm={t('removing.confirm')}
      loading={remove.isPending}
      error={remove.error ? failureText(remove.error, common('errors.message')) : undefined}
      onConfirm={() => remove.mutate(gid, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}

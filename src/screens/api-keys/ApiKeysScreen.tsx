import { useQuery } from '@tanstack/react-query'
import { Eye, KeyRound, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { API_KEY_NAME, type ApiKey } from '../../../server/contracts/api-keys'
import type { Scope } from '../../../server/contracts/route'
import { useCan } from '../../api/account'
import { apiKeysQuery, useApiKeyChanges } from '../../api/apiKeys'
import { failureText, fieldOr } from '../../api/failure'
import { formatDate, formatMoment, formatSince } from '../../i18n/format'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { Choice, Choices } from '../../ui/Choices'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { CopyField } from '../../ui/CopyField'
import { EmptyState } from '../../ui/EmptyState'
import { ErrorCard } from '../../ui/ErrorCard'
import { IconButton } from '../../ui/IconButton'
import { LoadingState } from '../../ui/LoadingState'
import { Modal, ModalActions, ModalText } from '../../ui/Modal'
import { NameDialog } from '../../ui/NameDialog'
import { PageHeader } from '../../ui/PageHeader'
import styles from './apiKeys.module.css'

/** /projects/:pgid/settings/project/api-keys: API keys, and how to connect an MCP client. */
export function ApiKeysScreen() {
  const { t } = useTranslation('apiKeys')
  const { t: common } = useTranslation()
  const { pgid = '' } = useParams()
  const mayCreate = useCan('api_keys.create')
  const { data, error, refetch } = useQuery(apiKeysQuery(pgid))
  const { create, remove } = useApiKeyChanges(pgid)
  const [asking, setAsking] = useState<'create' | ApiKey | null>(null)
  const [scope, setScope] = useState<Scope>('write')
  const [secret, setSecret] = useState<string | null>(null)
  const close = () => {
    setAsking(null)
    create.reset()
    remove.reset()
  }
  const add = (name: string) =>
    create.mutate(
      { name, scope },
      {
        onSuccess: (made) => {
          close()
          setSecret(made.secret)
        },
      },
    )
  const createButton = mayCreate && data?.allowed && (
    <Button design="primary" icon={<Plus />} onClick={() => setAsking('create')}>
      {t('create')}
    </Button>
  )
  return (
    <>
      <PageHeader title={t('title')} description={t('description')} actions={createButton} />
      {error ? (
        <ErrorCard
          message={failureText(error, common('errors.message'))}
          action={{ label: common('actions.retry'), onClick: () => void refetch() }}
        />
      ) : !data ? (
        <LoadingState rows={3} height={56} />
      ) : (
        <div className={styles.stack}>
          {!data.allowed && <p className={styles.plan}>{t('notInPlan')}</p>}
          {data.keys.length === 0 ? (
            <EmptyState icon={<KeyRound />} title={t('emptyTitle')} message={t('emptyMessage')} />
          ) : (
            <Keys keys={data.keys} onDelete={setAsking} />
          )}
          <Connect address={data.mcp_url} />
        </div>
      )}
      <NameDialog
        opened={asking === 'create'}
        title={t('new.title')}
        label={t('new.label')}
        placeholder={t('new.placeholder')}
        submit={t('create')}
        maxLength={API_KEY_NAME}
        loading={create.isPending}
        error={create.error ? fieldOr(create.error, 'name', common('errors.message')) : undefined}
        onSubmit={add}
        onClose={close}
      >
        <div className={styles.scope}>
          <Choices label={t('scope.label')} value={scope} onChange={setScope}>
            <Choice value="write" icon={<Pencil />} title={t('scope.write')} description={t('scope.writeHint')} />
            <Choice value="read" icon={<Eye />} title={t('scope.read')} description={t('scope.readHint')} />
          </Choices>
        </div>
      </NameDialog>
      <Modal opened={secret !== null} onClose={() => setSecret(null)} title={t('made.title')}>
        <ModalText>{t('made.hint')}</ModalText>
        <CopyField label={t('made.key')} value={secret ?? ''} />
        <ModalActions>
          <Button design="primary" onClick={() => setSecret(null)}>
            {t('made.done')}
          </Button>
        </ModalActions>
      </Modal>
      {asking !== null && asking !== 'create' && (
        <ConfirmDialog
          opened
          danger
          title={t('remove.title', { name: asking.name })}
          message={t('remove.message')}
          confirm={t('remove.confirm')}
          loading={remove.isPending}
          error={remove.error ? failureText(remove.error, common('errors.message')) : undefined}
          onConfirm={() => remove.mutate(asking.id, { onSuccess: close })}
          onClose={close}
        />
      )}
    </>
  )
}

function Keys({ keys, onDelete }: { keys: readonly ApiKey[]; onDelete: (key: ApiKey) => void }) {
  const { t } = useTranslation('apiKeys')
  const mayDelete = useCan('api_keys.delete')
  return (
    <Card flush>
      <table className={styles.table} aria-label={t('list')}>
        <thead>
          <tr>
            <th scope="col">{t('name')}</th>
            <th scope="col" className={styles.may}>
              {t('scope.column')}
            </th>
            <th scope="col" className={styles.wide}>
              {t('by')}
            </th>
            <th scope="col" className={styles.wide}>
              {t('created')}
            </th>
            <th scope="col" className={styles.used}>
              {t('used')}
            </th>
            <td />
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <tr key={key.id}>
              <th scope="row">
                <span className={styles.name}>{key.name}</span>
                <code className={styles.preview}>{key.preview}</code>
              </th>
              <td className={styles.may}>{t(`scope.${key.scope}`)}</td>
              <td className={styles.wide}>{key.by}</td>
              <td className={styles.wide}>
                <time dateTime={key.timestamp} title={formatMoment(key.timestamp)}>
                  {formatDate(key.timestamp)}
                </time>
              </td>
              <td className={styles.used}>{key.last_used_at ? formatSince(key.last_used_at) : t('never')}</td>
              <td className={styles.end}>
                {mayDelete && (
                  <IconButton
                    size="s"
                    label={t('delete', { name: key.name })}
                    icon={<Trash2 />}
                    onClick={() => onDelete(key)}
                  />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  )
}

function Connect({ address }: { address: string }) {
  const { t } = useTranslation('apiKeys')
  const config = {
    mcpServers: { parley: { type: 'http', url: address, headers: { Authorization: 'Bearer parley_…' } } },
  }
  return (
    <Card title={t('connect.title')} description={t('connect.hint')}>
      <div className={styles.connect}>
        <CopyField label={t('connect.address')} value={address} />
        <figure className={styles.config}>
          <figcaption>{t('connect.config')}</figcaption>
          {/* a long line can be scrolled by keyboard, too */}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached */}
          <pre tabIndex={0}>{JSON.stringify(config, null, 2)}</pre>
        </figure>
      </div>
    </Card>
  )
}

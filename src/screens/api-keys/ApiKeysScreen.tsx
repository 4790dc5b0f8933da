import { useQuery } from '@tanstack/react-query'
import { KeyRound, Plus, RefreshCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { type ApiKey, OLD_KEY_HOURS } from '../../../server/contracts/api-keys'
import { useCan } from '../../api/account'
import { apiKeysQuery, useApiKeyChanges } from '../../api/apiKeys'
import { failureText } from '../../api/failure'
import { formatDate, formatMoment, formatSince } from '../../i18n/format'
import { UpgradeBanner } from '../../projects/UpgradeBanner'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { CopyField } from '../../ui/CopyField'
import { EmptyState } from '../../ui/EmptyState'
import { ErrorCard } from '../../ui/ErrorCard'
import { IconButton } from '../../ui/IconButton'
import { LoadingState } from '../../ui/LoadingState'
import { Modal, ModalActions, ModalText } from '../../ui/Modal'
import { PageHeader } from '../../ui/PageHeader'
import styles from './apiKeys.module.css'
import { NewKeyDialog } from './NewKeyDialog'

/** What a dialog asks. */
type Asking = { to: 'create' } | { to: 'rotate' | 'delete'; key: ApiKey }

/** /projects/:pgid/settings/project/api-keys: API keys, and how to connect an MCP client. */
export function ApiKeysScreen() {
  const { t } = useTranslation('apiKeys')
  const { t: common } = useTranslation()
  const { pgid = '' } = useParams()
  const mayCreate = useCan('api_keys.create')
  const { data, error, refetch } = useQuery(apiKeysQuery(pgid))
  const { create, remove, rotate } = useApiKeyChanges(pgid)
  const [asking, setAsking] = useState<Asking | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const close = () => {
    setAsking(null)
    create.reset()
    remove.reset()
    rotate.reset()
  }
  const shown = (made: { secret: string }) => {
    close()
    setSecret(made.secret)
  }
  const createButton = mayCreate && data?.allowed && (
    <Button design="primary" icon={<Plus />} onClick={() => setAsking({ to: 'create' })}>
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
          {!data.allowed && <UpgradeBanner />}
          {data.keys.length === 0 ? (
            <EmptyState icon={<KeyRound />} title={t('emptyTitle')} message={t('emptyMessage')} />
          ) : (
            <Keys keys={data.keys} onAsk={setAsking} />
          )}
          <Card title={t('api.title')} description={t('api.hint')}>
            <div className={styles.connect}>
              <CopyField label={t('api.address')} value={data.api_url} />
              <Link to={`/projects/${pgid}/settings/project/api-keys/reference`}>{t('api.reference')}</Link>
            </div>
          </Card>
          <Connect address={data.mcp_url} />
        </div>
      )}
      <NewKeyDialog
        opened={asking?.to === 'create'}
        loading={create.isPending}
        error={create.error}
        onSubmit={(body) => create.mutate(body, { onSuccess: shown })}
        onClose={close}
      />
      <Modal opened={secret !== null} onClose={() => setSecret(null)} title={t('made.title')}>
        <ModalText>{t('made.hint')}</ModalText>
        <div className={styles.made}>
          <CopyField label={t('made.key')} value={secret ?? ''} />
        </div>
        <ModalActions>
          <Button design="primary" onClick={() => setSecret(null)}>
            {t('made.done')}
          </Button>
        </ModalActions>
      </Modal>
      {asking?.to === 'rotate' && (
        <ConfirmDialog
          opened
          title={t('rotate.title', { name: asking.key.name })}
          message={t('rotate.message', { hours: OLD_KEY_HOURS })}
          confirm={t('rotate.confirm')}
          loading={rotate.isPending}
          error={rotate.error ? failureText(rotate.error, common('errors.message')) : undefined}
          onConfirm={() => rotate.mutate(asking.key.id, { onSuccess: shown })}
          onClose={close}
        />
      )}
      {asking?.to === 'delete' && (
        <ConfirmDialog
          opened
          danger
          title={t('remove.title', { name: asking.key.name })}
          message={t('remove.message')}
          confirm={t('remove.confirm')}
          loading={remove.isPending}
          error={remove.error ? failureText(remove.error, common('errors.message')) : undefined}
          onConfirm={() => remove.mutate(asking.key.id, { onSuccess: close })}
          onClose={close}
        />
      )}
    </>
  )
}

function Keys({ keys, onAsk }: { keys: readonly ApiKey[]; onAsk: (asking: Asking) => void }) {
  const { t } = useTranslation('apiKeys')
  const mayDelete = useCan('api_keys.delete')
  const mayRotate = useCan('api_keys.create')
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
            <th scope="col" className={styles.ends}>
              {t('ends')}
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
                {key.calls_a_minute !== null && (
                  <span className={styles.preview}>{t('calls', { count: key.calls_a_minute })}</span>
                )}
                <span className={styles.narrow}>
                  {t('used')}: {key.last_used_at ? formatSince(key.last_used_at) : t('never')}
                </span>
                <span className={styles.narrow}>
                  {t('ends')}: {key.expires_at ? <End at={key.expires_at} /> : t('never')}
                </span>
                {isAhead(key.old_key_until) && (
                  <span className={styles.preview}>{t('rotate.old', { at: formatMoment(key.old_key_until) })}</span>
                )}
              </th>
              <td className={styles.may}>{t(`scope.${key.scope}`)}</td>
              <td className={styles.wide}>{key.by}</td>
              <td className={styles.wide}>
                <time dateTime={key.timestamp} title={formatMoment(key.timestamp)}>
                  {formatDate(key.timestamp)}
                </time>
              </td>
              <td className={styles.used}>{key.last_used_at ? formatSince(key.last_used_at) : t('never')}</td>
              <td className={styles.ends}>{key.expires_at ? <End at={key.expires_at} /> : t('never')}</td>
              <td className={styles.end}>
                {mayRotate && key.mine && (
                  <IconButton
                    size="s"
                    label={t('rotate.label', { name: key.name })}
                    icon={<RefreshCw />}
                    onClick={() => onAsk({ to: 'rotate', key })}
                  />
                )}
                {mayDelete && (
                  <IconButton
                    size="s"
                    label={t('delete', { name: key.name })}
                    icon={<Trash2 />}
                    onClick={() => onAsk({ to: 'delete', key })}
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

const isAhead = (at: string | null): at is string => at !== null && new Date(at) > new Date()

/** When a key ends by itself. */
function End({ at }: { at: string }) {
  const { t } = useTranslation('apiKeys')
  return isAhead(at) ? (
    <time dateTime={at} title={formatMoment(at)}>
      {formatDate(at)}
    </time>
  ) : (
    <Badge tone="danger">{t('expired')}</Badge>
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

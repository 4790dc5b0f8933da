import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import type { MessageApiState } from '../../../server/contracts/messageApi'
import { useCan } from '../../api/account'
import { ApiFailure, failureText } from '../../api/failure'
import { messageApiQuery, useMessageApiChanges } from '../../api/messageApi'
import type { ChatbotPlace } from '../../api/sources'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { CodeBlock } from '../../ui/CodeBlock'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { CopyField } from '../../ui/CopyField'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { notify } from '../../ui/notify'
import { PageHeader } from '../../ui/PageHeader'
import { ReadOnlyNotice } from '../../ui/ReadOnlyNotice'
import { SettingsStack } from '../../ui/SettingsStack'
import { TextField } from '../../ui/TextField'
import { exampleCall, exampleMessage } from './examples'
import styles from './messageApi.module.css'

/** /projects/:pgid/chatbots/:cgid/settings/message-api: programs that bring what people write elsewhere. */
export function MessageApiScreen() {
  const { t } = useTranslation('messageApi')
  const { t: common } = useTranslation()
  const { pgid = '', cgid = '' } = useParams()
  const place = { pgid, cgid }
  const mayConnect = useCan('integrations.connect')
  const { data, error, refetch } = useQuery(messageApiQuery(place))
  const [secret, setSecret] = useState<string | null>(null)
  return (
    <>
      <PageHeader title={t('title')} description={t('description')} />
      {error ? (
        <ErrorCard
          message={failureText(error, common('errors.message'))}
          action={{ label: common('actions.retry'), onClick: () => void refetch() }}
        />
      ) : !data ? (
        <LoadingState rows={2} height={160} />
      ) : (
        <SettingsStack>
          {!mayConnect && <ReadOnlyNotice>{t('readOnly')}</ReadOnlyNotice>}
          {!data.published && <ReadOnlyNotice>{t('unpublished')}</ReadOnlyNotice>}
          <AnswersCard key={data.channel?.url} place={place} state={data} readOnly={!mayConnect} onSecret={setSecret} />
          {data.channel && mayConnect && <SecretCard place={place} secret={secret} onSecret={setSecret} />}
          {data.channel && <SendingCard address={data.address} />}
        </SettingsStack>
      )}
    </>
  )
}

interface AnswersCardProps {
  place: ChatbotPlace
  state: MessageApiState
  readOnly: boolean
  onSecret: (secret: string | null) => void
}

/** Where answers go; without an address it is off. */
function AnswersCard({ place, state: { channel }, readOnly, onSecret }: AnswersCardProps) {
  const { t } = useTranslation('messageApi')
  const { t: common } = useTranslation()
  const { save, remove } = useMessageApiChanges(place)
  const [url, setUrl] = useState(channel?.url ?? '')
  const [asking, setAsking] = useState(false)
  const mayDisconnect = useCan('integrations.disconnect')
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    save.mutate(url, {
      onSuccess: ({ secret }) => {
        if (secret !== null) onSecret(secret)
        notify.success(t(secret === null ? 'answers.saved' : 'answers.on'))
      },
    })
  }
  const wrong = save.error instanceof ApiFailure ? save.error.fields.url : undefined
  return (
    <form onSubmit={submit} noValidate>
      <Card
        title={t('answers.title')}
        description={t('answers.description')}
        actions={
          <Badge dot tone={!channel ? 'neutral' : channel.problem === null ? 'success' : 'danger'}>
            {t(!channel ? 'answers.isOff' : channel.problem === null ? 'answers.works' : 'answers.fails')}
          </Badge>
        }
        footer={
          !readOnly && (
            <>
              {channel && mayDisconnect && (
                <Button design="danger" onClick={() => setAsking(true)}>
                  {t('answers.turnOff')}
                </Button>
              )}
              <Button type="submit" design="primary" loading={save.isPending}>
                {channel ? common('actions.save') : t('answers.turnOn')}
              </Button>
            </>
          )
        }
      >
        <div className={styles.fields}>
          {channel?.problem && (
            <p role="alert" className={styles.alert}>
              {channel.problem}
            </p>
          )}
          <TextField
            label={t('answers.url')}
            type="url"
            spellCheck={false}
            placeholder="https://example.com/messages"
            value={url}
            readOnly={readOnly}
            error={wrong ?? (save.error ? failureText(save.error, common('errors.message')) : undefined)}
            onChange={(event) => {
              save.reset()
              setUrl(event.currentTarget.value)
            }}
          />
        </div>
      </Card>
      <ConfirmDialog
        opened={asking}
        danger
        title={t('off.title')}
        message={t('off.message')}
        confirm={t('answers.turnOff')}
        loading={remove.isPending}
        error={remove.error ? failureText(remove.error, common('errors.message')) : undefined}
        onConfirm={() =>
          remove.mutate(undefined, {
            onSuccess: () => {
              onSecret(null)
              notify.success(t('off.done'))
            },
          })
        }
        onClose={() => setAsking(false)}
      />
    </form>
  )
}

interface SecretCardProps {
  place: ChatbotPlace
  /** made just now */
  secret: string | null
  onSecret: (secret: string) => void
}

/** What answers are signed with: shown when it is made. */
function SecretCard({ place, secret, onSecret }: SecretCardProps) {
  const { t } = useTranslation('messageApi')
  const { t: common } = useTranslation()
  const { renew } = useMessageApiChanges(place)
  const [asking, setAsking] = useState(false)
  return (
    <Card
      title={t('secret.title')}
      description={t('secret.description')}
      footer={<Button onClick={() => setAsking(true)}>{t('secret.renew')}</Button>}
    >
      <div className={styles.fields}>
        {secret === null ? (
          <p className={styles.note}>{t('secret.hidden')}</p>
        ) : (
          <>
            <CopyField label={t('secret.label')} value={secret} />
            <p className={styles.note}>{t('secret.once')}</p>
          </>
        )}
      </div>
      <ConfirmDialog
        opened={asking}
        danger
        title={t('secret.renew')}
        message={t('secret.confirm')}
        confirm={t('secret.renew')}
        loading={renew.isPending}
        error={renew.error ? failureText(renew.error, common('errors.message')) : undefined}
        onConfirm={() =>
          renew.mutate(undefined, {
            onSuccess: (made) => {
              onSecret(made.secret)
              setAsking(false)
            },
          })
        }
        onClose={() => setAsking(false)}
      />
    </Card>
  )
}

/** How a program sends a message, and what it is sent. */
function SendingCard({ address }: { address: string }) {
  const { t } = useTranslation('messageApi')
  const { pgid = '' } = useParams()
  return (
    <Card
      title={t('sending.title')}
      description={t('sending.description')}
      footer={<Button to={`/projects/${pgid}/settings/project/api-keys`}>{t('sending.keys')}</Button>}
    >
      <div className={styles.fields}>
        <CopyField label={t('sending.address')} value={address} />
        <p className={styles.note}>{t('sending.call')}</p>
        <CodeBlock label={t('sending.callExample')} code={exampleCall(address)} />
        <p className={styles.note}>{t('sending.answer')}</p>
        <CodeBlock label={t('sending.answerExample')} code={exampleMessage} />
      </div>
    </Card>
  )
}

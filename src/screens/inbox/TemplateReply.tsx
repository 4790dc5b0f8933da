import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChannelTemplate } from '../../../server/contracts/channelTemplates'
import { type InboxConversation, replyToVisitor } from '../../../server/contracts/inbox'
import { callRoute } from '../../api/client'
import { ApiFailure, failureText } from '../../api/failure'
import { refreshConversation, refreshLists, replyTemplatesQuery } from '../../api/inbox'
import { TemplatePreview } from '../../text/TemplatePreview'
import { Button } from '../../ui/Button'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { Modal, ModalActions, ModalText } from '../../ui/Modal'
import { Select } from '../../ui/Select'
import { TextField } from '../../ui/TextField'
import { useInboxPlace } from './inboxPlace'
import styles from './templateReply.module.css'

interface TemplateReplyProps {
  conversation: InboxConversation
  /** the number of the last message */
  last: number
}

/** Answers with what the channel takes when its time for answers is over. */
export function TemplateReply(props: TemplateReplyProps) {
  const { t } = useTranslation('inbox')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button size="s" onClick={() => setOpen(true)}>
        {t('template.open')}
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={t('template.title')}>
        <Choice {...props} onClose={() => setOpen(false)} />
      </Modal>
    </>
  )
}

function Choice({ onClose, ...props }: TemplateReplyProps & { onClose: () => void }) {
  const { t } = useTranslation('inbox')
  const { t: common } = useTranslation()
  const { pgid } = useInboxPlace()
  const { data, error, refetch } = useQuery(replyTemplatesQuery(pgid, props.conversation.gid))
  const [chosen, setChosen] = useState<string | null>(null)
  if (error)
    return (
      <ErrorCard
        message={failureText(error, common('errors.message'))}
        action={{ label: common('actions.retry'), onClick: () => void refetch() }}
      />
    )
  if (!data) return <LoadingState rows={1} height={120} />
  const [first] = data
  if (!first) return <ModalText>{t('template.none')}</ModalText>
  const template = data.find((each) => keyOf(each) === chosen) ?? first
  return (
    <div className={styles.fields}>
      <Select
        label={t('template.choose')}
        value={keyOf(template)}
        allowDeselect={false}
        data={data.map((each) => ({ value: keyOf(each), label: `${each.name} (${each.language})` }))}
        onChange={setChosen}
      />
      <Filling key={keyOf(template)} {...props} template={template} onClose={onClose} />
    </div>
  )
}

const keyOf = ({ name, language }: ChannelTemplate) => `${name} ${language}`

/** The template's places, and what it says once they are filled. */
function Filling({
  conversation: { gid, status },
  last,
  template,
  onClose,
}: TemplateReplyProps & { template: ChannelTemplate; onClose: () => void }) {
  const { t } = useTranslation('inbox')
  const { t: common } = useTranslation()
  const { pgid } = useInboxPlace()
  const client = useQueryClient()
  // sent once, however often it is tried
  const [clientId] = useState(() => crypto.randomUUID().replaceAll('-', ''))
  const { name, language, places } = template
  const [values, setValues] = useState<readonly string[]>(() => places.map(() => ''))
  const send = useMutation({
    mutationFn: () =>
      callRoute(replyToVisitor, {
        params: { pgid, conversation: gid },
        body: {
          ...{ client_id: clientId, text: '', file_ids: [], seen: last, anyway: false, close: false },
          // who sends one in a closed conversation sees that it is closed
          reopen: status === 'closed',
          template: { name, language, values: [...values] },
        },
      }),
    onSuccess: () => {
      void refreshConversation(client, pgid, gid)
      void refreshLists(client, pgid)
      onClose()
    },
  })
  const { error } = send
  const fields: Partial<Record<string, string>> = error instanceof ApiFailure ? error.fields : {}
  const failed = error && Object.keys(fields).length === 0 ? error : null
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    send.mutate()
  }
  return (
    <form onSubmit={submit} noValidate className={styles.fields}>
      {places.map((place, at) => (
        <TextField
          key={`${place.part} ${place.index} ${place.name}`}
          label={t(place.kind === 'text' ? `template.${place.part}` : 'template.media', { place: `{{${place.name}}}` })}
          value={values[at] ?? ''}
          maxLength={1_000}
          error={fields[`template.values.${at}`]}
          onChange={(event) => {
            const { value } = event.currentTarget
            send.reset()
            setValues(values.map((each, index) => (index === at ? value : each)))
          }}
        />
      ))}
      <TemplatePreview template={template} values={values} />
      {failed && (
        <p role="alert" className={styles.alert}>
          {failureText(failed, common('errors.message'))}
        </p>
      )}
      <ModalActions>
        <Button onClick={onClose}>{common('actions.cancel')}</Button>
        <Button type="submit" design="primary" loading={send.isPending}>
          {t('template.send')}
        </Button>
      </ModalActions>
    </form>
  )
}

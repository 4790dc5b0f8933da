import { useQuery } from '@tanstack/react-query'
import { BadgeCheck, Download, Trash2 } from 'lucide-react'
import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ContactField, contactFields } from '../../../engine/values/contactFields'
import { type ContactEntry, contactChangeSchema } from '../../../server/contracts/contacts'
import { useCan } from '../../api/account'
import { contactFieldsQuery } from '../../api/contactFields'
import { contactQuery, personData, useContactChanges } from '../../api/contacts'
import { failureText, fieldsOf } from '../../api/failure'
import { fieldErrors } from '../../api/validate'
import { Button } from '../../ui/Button'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { downloadText } from '../../ui/downloadText'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { Modal, ModalActions } from '../../ui/Modal'
import { notify } from '../../ui/notify'
import { Switch } from '../../ui/Switch'
import { TextField } from '../../ui/TextField'
import styles from './contacts.module.css'
import { OwnFields } from './fields/OwnFields'
import { Timeline } from './Timeline'

/** A contact to be read and changed; without a gid a new one. */
export function ContactDialog({ pgid, gid, onClose }: { pgid: string; gid: string | null; onClose: () => void }) {
  const { t } = useTranslation('contacts')
  const { t: common } = useTranslation()
  const { data, error, refetch } = useQuery({ ...contactQuery(pgid, gid ?? ''), enabled: gid !== null })
  const { contact, timeline } = data ?? {}
  const title = gid === null ? t('new') : (contact?.fields.name ?? contact?.fields.email ?? t('contact'))
  return (
    <Modal opened onClose={onClose} size="lg" title={title}>
      {gid === null ? (
        <ContactForm pgid={pgid} contact={null} onClose={onClose} />
      ) : error ? (
        <ErrorCard
          message={failureText(error, common('errors.message'))}
          action={{ label: common('actions.retry'), onClick: () => void refetch() }}
        />
      ) : contact && timeline ? (
        <>
          <ContactForm key={contact.updated_at} pgid={pgid} contact={contact} onClose={onClose} />
          <Timeline pgid={pgid} entries={timeline} />
          <PersonActions pgid={pgid} contact={contact} onClose={onClose} />
        </>
      ) : (
        <LoadingState rows={6} height={40} />
      )}
    </Modal>
  )
}

interface FormProps {
  pgid: string
  contact: ContactEntry | null
  onClose: () => void
}

function ContactForm({ pgid, contact, onClose }: FormProps) {
  const { t } = useTranslation('contacts')
  const { t: common } = useTranslation()
  const mayChange = useCan(contact ? 'contacts.update' : 'contacts.create')
  const { create, update } = useContactChanges(pgid)
  const saving = contact ? update : create
  const [fields, setFields] = useState<Partial<Record<ContactField, string>>>(
    Object.fromEntries(contactFields.map((field) => [field, contact?.fields[field] ?? ''])),
  )
  const { data: own } = useQuery(contactFieldsQuery(pgid))
  /** those that were changed */
  const [custom, setCustom] = useState<Record<string, string>>({})
  const [tags, setTags] = useState(contact?.tags.join(', ') ?? '')
  const [blocked, setBlocked] = useState(contact?.blocked ?? false)
  const [asked, setAsked] = useState(false)
  const body = {
    fields,
    custom,
    tags: tags.split(',').flatMap((tag) => tag.trim() || []),
    blocked,
  }
  const wrong: Readonly<Record<string, string>> = asked
    ? { ...fieldsOf(saving.error), ...fieldErrors(contactChangeSchema, body) }
    : {}
  const tagsWrong = Object.entries(wrong).find(([path]) => path.startsWith('tags'))?.[1]
  function submit(event: SubmitEvent): void {
    event.preventDefault()
    setAsked(true)
    if (Object.keys(fieldErrors(contactChangeSchema, body)).length > 0) return
    const onSuccess = () => {
      notify.success(t('saved'))
      onClose()
    }
    if (contact) update.mutate({ gid: contact.gid, ...body }, { onSuccess })
    else create.mutate(body, { onSuccess })
  }
  return (
    <form onSubmit={submit} noValidate>
      <div className={styles.fields}>
        {contactFields.map((field, at) => (
          <TextField
            key={field}
            {...(at === 0 && { 'data-autofocus': true })}
            label={t(`fields.${field}`)}
            value={fields[field] ?? ''}
            readOnly={!mayChange}
            error={wrong[`fields.${field}`]}
            onChange={({ currentTarget: { value } }) => setFields({ ...fields, [field]: value })}
          />
        ))}
        <OwnFields
          own={own?.fields ?? []}
          values={{ ...contact?.custom, ...custom }}
          wrong={wrong}
          readOnly={!mayChange}
          onChange={(name, value) => setCustom({ ...custom, [name]: value })}
        />
      </div>
      <TextField
        className={styles.tagField}
        label={t('tags')}
        description={t('tagsHint')}
        value={tags}
        readOnly={!mayChange}
        error={tagsWrong}
        onChange={({ currentTarget: { value } }) => setTags(value)}
      />
      {contact && <Identity contact={contact} />}
      <Switch
        label={t('blockedLabel')}
        description={t('blockedHint')}
        checked={blocked}
        disabled={!mayChange}
        onChange={({ currentTarget: { checked } }) => setBlocked(checked)}
      />
      {saving.error && Object.keys(wrong).length === 0 && (
        <p role="alert" className={styles.problem}>
          {failureText(saving.error, common('errors.message'))}
        </p>
      )}
      {mayChange && (
        <ModalActions>
          <Button onClick={onClose}>{common('actions.cancel')}</Button>
          <Button type="submit" design="primary" loading={saving.isPending}>
            {common('actions.save')}
          </Button>
        </ModalActions>
      )}
    </form>
  )
}

/** Who a site has signed the person to be, apart from what the person claims; and addresses of merged contacts. */
function Identity({ contact: { verified_id, aliases } }: { contact: ContactEntry }) {
  const { t } = useTranslation('contacts')
  if (verified_id === null && aliases.length === 0) return null
  return (
    <dl className={styles.identity}>
      {verified_id !== null && (
        <div>
          <dt>
            <BadgeCheck size={14} aria-hidden /> {t('verified')}
          </dt>
          <dd>{t('verifiedAs', { id: verified_id })}</dd>
        </div>
      )}
      {aliases.length > 0 && (
        <div>
          <dt>{t('aliases')}</dt>
          <dd>{aliases.map((alias) => alias.slice(alias.indexOf(':') + 1)).join(', ')}</dd>
        </div>
      )}
    </dl>
  )
}

function PersonActions({ pgid, contact, onClose }: FormProps & { contact: ContactEntry }) {
  const { t } = useTranslation('contacts')
  const { t: common } = useTranslation()
  const may = { erase: useCan('contacts.erase'), save: useCan('contacts.export') }
  const { erase } = useContactChanges(pgid)
  const [asking, setAsking] = useState(false)
  const save = () =>
    personData(pgid, contact.gid).then(
      (text) => downloadText(text, `contact-${contact.gid}.json`),
      (error) => notify.error(failureText(error, t('failedDownload'))),
    )
  return (
    <div className={styles.person}>
      {may.save && (
        <Button icon={<Download />} onClick={() => void save()}>
          {t('download')}
        </Button>
      )}
      {may.erase && (
        <Button icon={<Trash2 />} onClick={() => setAsking(true)}>
          {t('erase')}
        </Button>
      )}
      <ConfirmDialog
        opened={asking}
        danger
        title={t('eraseTitle')}
        message={t('eraseMessage')}
        confirm={t('erase')}
        typeName={t('eraseWord')}
        loading={erase.isPending}
        error={erase.error ? failureText(erase.error, common('errors.message')) : undefined}
        onClose={() => setAsking(false)}
        onConfirm={() =>
          erase.mutate(contact.gid, {
            onSuccess: ({ conversations }) => {
              notify.success(t('erased', { count: conversations }))
              onClose()
            },
          })
        }
      />
    </div>
  )
}

import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MOST_AT_ONCE, type SentInvitation } from '../../../server/contracts/members'
import { ApiFailure, failureText } from '../../api/failure'
import { type RoleNumber, useMemberChanges } from '../../api/members'
import { ROLE } from '../../api/roles'
import { Button } from '../../ui/Button'
import { Modal, ModalActions } from '../../ui/Modal'
import { TextArea } from '../../ui/TextArea'
import { readAddresses } from './addresses'
import styles from './members.module.css'
import { RoleChoices } from './Roles'

interface InviteDialogProps {
  pgid: string
  opened: boolean
  onClose: () => void
  onSent: (sent: SentInvitation[]) => void
}

export function InviteDialog({ opened, onClose, ...rest }: InviteDialogProps) {
  const { t } = useTranslation('members')
  return (
    <Modal opened={opened} onClose={onClose} title={t('dialog.title')} size="lg">
      <InviteForm {...rest} onClose={onClose} />
    </Modal>
  )
}

/** A separate component, so that its state is dropped when the dialog closes. */
function InviteForm({ pgid, onClose, onSent }: Omit<InviteDialogProps, 'opened'>) {
  const { t } = useTranslation('members')
  const { t: common } = useTranslation()
  const [text, setText] = useState('')
  const [roles, setRoles] = useState<RoleNumber[]>([ROLE.EDITOR])
  const [tried, setTried] = useState(false)
  const { invite } = useMemberChanges(pgid)
  const emails = readAddresses(text)
  const ready = emails.length > 0 && roles.length > 0
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setTried(true)
    invite.reset()
    if (ready) invite.mutate({ emails, roles }, { onSuccess: ({ invited }) => onSent(invited) })
  }
  const fields = invite.error instanceof ApiFailure ? invite.error.fields : {}
  const wrong = Object.keys(fields).flatMap((field) => /^emails\.(\d+)$/.exec(field)?.[1] ?? [])
  const problems = wrong.map((index) => fields[`emails.${index}`] ?? '')
  const general = invite.error && problems.length === 0 ? failureText(invite.error, common('errors.message')) : null
  const leaveOut = () => {
    const sent = invite.variables?.emails ?? []
    setText(sent.filter((_, index) => !wrong.includes(String(index))).join(', '))
    invite.reset()
  }
  return (
    <form onSubmit={submit} className={styles.form} noValidate>
      {(fields.emails ?? general) && (
        <p role="alert" className={styles.alert}>
          {fields.emails ?? general}
        </p>
      )}
      <div>
        <TextArea
          label={t('dialog.emails')}
          description={t('dialog.emailsHint', { most: MOST_AT_ONCE })}
          value={text}
          minRows={2}
          maxLength={20_000}
          spellCheck={false}
          autoCapitalize="none"
          error={tried && emails.length === 0 ? t('dialog.emailsEmpty') : undefined}
          onChange={(event) => setText(event.currentTarget.value)}
          data-autofocus
        />
        {problems.length > 0 && (
          <div role="alert" className={styles.problems}>
            <ul>
              {problems.map((problem) => (
                <li key={problem}>{problem}</li>
              ))}
            </ul>
            <Button size="s" onClick={leaveOut}>
              {t('dialog.leaveOut')}
            </Button>
          </div>
        )}
      </div>
      <RoleChoices roles={roles} onChange={setRoles} error={roles.length === 0 ? t('roles.pick') : undefined} />
      <ModalActions>
        <Button onClick={onClose}>{common('actions.cancel')}</Button>
        <Button type="submit" design="primary" loading={invite.isPending}>
          {t('dialog.submit', { count: Math.max(1, emails.length) })}
        </Button>
      </ModalActions>
    </form>
  )
}

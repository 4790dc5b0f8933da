import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { caps } from '../../../engine/values/caps'
import { parseEmail, ruleMessages } from '../../../engine/values/rules'
import type { NoticeName } from '../../../server/contracts/notifications'
import { ApiFailure, failureText } from '../../api/failure'
import { useNotificationsChange } from '../../api/notifications'
import { NameDialog } from '../../ui/NameDialog'
import { notify } from '../../ui/notify'

interface AddressDialogProps {
  pgid: string
  /** of which mails */
  name: NoticeName
  /** the present ones */
  emails: readonly string[]
  onClose: () => void
}

/** Adds an address for mails of one kind. */
export function AddressDialog({ pgid, name, emails, onClose }: AddressDialogProps) {
  const { t } = useTranslation('notifications')
  const { t: common } = useTranslation()
  const [problem, setProblem] = useState<string>()
  const change = useNotificationsChange(pgid)
  const add = (text: string) => {
    const email = parseEmail(text)
    const isKnown = emails.some((each) => each.toLowerCase() === email?.toLowerCase())
    setProblem(email === null ? ruleMessages.email : isKnown ? t('new.known') : undefined)
    if (email === null || isKnown) return
    change.mutate(
      { [name]: { emails: [...emails, email] } },
      {
        onSuccess: () => {
          notify.success(t('new.added', { email }))
          onClose()
        },
        onError: (error) => setProblem(saidAtField(error) ?? failureText(error, common('errors.message'))),
      },
    )
  }
  return (
    <NameDialog
      opened
      title={t('new.title')}
      label={t('new.label')}
      placeholder={t('new.placeholder')}
      submit={t('new.submit')}
      maxLength={caps.email}
      loading={change.isPending}
      error={problem}
      onSubmit={add}
      onClose={onClose}
    />
  )
}

const saidAtField = (error: unknown): string | undefined =>
  error instanceof ApiFailure ? Object.values(error.fields)[0] : undefined

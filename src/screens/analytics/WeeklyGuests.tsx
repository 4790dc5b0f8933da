import { X } from 'lucide-react'
import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { parseEmail, ruleMessages } from '../../../engine/values/rules'
import type { WeeklyGuest, WeeklyMail } from '../../../server/contracts/weeklyMail'
import { ApiFailure, failureText } from '../../api/failure'
import { useWeeklyMail } from '../../api/weeklyMail'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { IconButton } from '../../ui/IconButton'
import { TextField } from '../../ui/TextField'
import styles from './analytics.module.css'

interface WeeklyGuestsProps {
  pgid: string
  chatbot: string | undefined
  mail: WeeklyMail
}

/** People without an account who get the weekly mail too, once they have confirmed it. */
export function WeeklyGuests({ pgid, chatbot, mail: { guests } }: WeeklyGuestsProps) {
  const { t } = useTranslation('analytics')
  const { t: common } = useTranslation()
  const { add, remove } = useWeeklyMail(pgid, chatbot)
  const [email, setEmail] = useState('')
  const [wrong, setWrong] = useState('')
  const [removing, setRemoving] = useState<WeeklyGuest | null>(null)
  const refused = add.error instanceof ApiFailure ? Object.values(add.error.fields)[0] : undefined
  const problem = wrong || (add.error ? (refused ?? failureText(add.error, common('errors.message'))) : '')
  function submit(event: SubmitEvent): void {
    event.preventDefault()
    const address = parseEmail(email)
    setWrong(address === null ? ruleMessages.email : '')
    if (address !== null) add.mutate(address, { onSuccess: () => setEmail('') })
  }
  return (
    <section className={styles.guests} aria-label={t('weekly.guests')}>
      <h3>{t('weekly.guests')}</h3>
      <p className={styles.hint}>{t('weekly.guestsHint')}</p>
      {guests.length > 0 && (
        <ul>
          {guests.map((guest) => (
            <li key={guest.gid}>
              <span>{guest.email}</span>
              <Badge tone={guest.confirmed ? 'success' : 'neutral'}>
                {t(guest.confirmed ? 'weekly.confirmed' : 'weekly.asked')}
              </Badge>
              <IconButton
                size="s"
                label={t('weekly.remove', { email: guest.email })}
                icon={<X />}
                onClick={() => setRemoving(guest)}
              />
            </li>
          ))}
        </ul>
      )}
      <form onSubmit={submit} noValidate>
        <TextField
          type="email"
          label={t('weekly.email')}
          value={email}
          error={problem}
          onChange={({ currentTarget: { value } }) => {
            setEmail(value)
            setWrong('')
            add.reset()
          }}
        />
        <Button type="submit" loading={add.isPending}>
          {t('weekly.add')}
        </Button>
      </form>
      {removing && (
        <ConfirmDialog
          opened
          title={t('weekly.removeTitle')}
          message={t('weekly.removeMessage', { email: removing.email })}
          confirm={t('weekly.removeConfirm')}
          loading={remove.isPending}
          error={remove.error ? failureText(remove.error, common('errors.message')) : undefined}
          onConfirm={() => remove.mutate(removing.gid, { onSuccess: () => setRemoving(null) })}
          onClose={() => setRemoving(null)}
        />
      )}
    </section>
  )
}

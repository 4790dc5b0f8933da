import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/Button'
import { Modal, ModalActions } from '../../ui/Modal'
import { TextField } from '../../ui/TextField'
import { firstMoment, latestMoment, localMoment, momentOf } from './snoozeTimes'
import { useChanges } from './useChanges'

interface SnoozeDialogProps {
  pgid: string
  conversations: string[]
  /** @param failed those that were not snoozed, and stay as they are */
  onDone?: (failed: string[]) => void
  onClose: () => void
}

/** Asks until when conversations are put away, by the clock of who asks. What can't be is said at the field. */
export function SnoozeDialog({ pgid, conversations, onDone, onClose }: SnoozeDialogProps) {
  const { t } = useTranslation('inbox')
  const { t: common } = useTranslation()
  const changes = useChanges(pgid)
  const [value, setValue] = useState(() => firstMoment(new Date()))
  const [problem, setProblem] = useState<string>()
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    // a portal's events rise to the form that the dialog was opened in
    event.stopPropagation()
    const found = momentOf(value, new Date())
    if ('problem' in found) return setProblem(t(`snooze.${found.problem}`))
    changes.mutate(
      { conversations, change: { snoozed_until: found.at.toISOString() } },
      {
        onSuccess: ({ failed }) => {
          onDone?.(failed.map(({ conversation }) => conversation))
          const [first] = failed
          if (first && failed.length === conversations.length) return setProblem(first.reason)
          onClose()
        },
      },
    )
  }
  return (
    <Modal opened onClose={onClose} title={t('snooze.title', { count: conversations.length })} size="sm">
      <form onSubmit={submit} noValidate>
        <TextField
          type="datetime-local"
          label={t('snooze.until')}
          description={t('snooze.zone', { zone: zoneName() })}
          data-autofocus
          required
          min={localMoment(new Date())}
          max={localMoment(latestMoment(new Date()))}
          value={value}
          error={problem}
          onChange={({ currentTarget }) => {
            setProblem(undefined)
            setValue(currentTarget.value)
          }}
        />
        <ModalActions>
          <Button onClick={onClose}>{common('actions.cancel')}</Button>
          <Button type="submit" design="primary" loading={changes.isPending}>
            {t('snooze.label')}
          </Button>
        </ModalActions>
      </form>
    </Modal>
  )
}

const zoneName = () => new Intl.DateTimeFormat().resolvedOptions().timeZone.replaceAll('_', ' ')

import { useQuery } from '@tanstack/react-query'
import i18next from 'i18next'
import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { WeeklyMail } from '../../../server/contracts/weeklyMail'
import { useAccount } from '../../api/account'
import { failureText } from '../../api/failure'
import { useWeeklyMail, weeklyMailQuery } from '../../api/weeklyMail'
import { ownZone } from '../../charts/days'
import { formatMoment } from '../../i18n/format'
import { Button } from '../../ui/Button'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { Modal, ModalActions, ModalText } from '../../ui/Modal'
import { notify } from '../../ui/notify'
import { Select } from '../../ui/Select'
import { Switch } from '../../ui/Switch'
import styles from './analytics.module.css'
import { zonesWith } from './useFilter'
import { WeeklyGuests } from './WeeklyGuests'

interface WeeklyMailProps {
  pgid: string
  /** absent: about all chatbots of the project */
  chatbot: string | undefined
  onClose: () => void
}

/** Whether and when the figures of each week come by mail, and who else gets them. */
export function WeeklyMailDialog({ pgid, chatbot, onClose }: WeeklyMailProps) {
  const { t } = useTranslation('analytics')
  const { t: common } = useTranslation()
  const { data, error, refetch } = useQuery(weeklyMailQuery(pgid, chatbot))
  return (
    <Modal opened onClose={onClose} title={t('weekly.title')}>
      <ModalText>{t(chatbot ? 'weekly.ofChatbot' : 'weekly.ofProject')}</ModalText>
      {error ? (
        <ErrorCard
          message={failureText(error, common('errors.message'))}
          action={{ label: common('actions.retry'), onClick: () => void refetch() }}
        />
      ) : !data ? (
        <LoadingState rows={3} height={52} />
      ) : (
        <>
          <Times key={`${data.enabled}`} pgid={pgid} chatbot={chatbot} mail={data} onClose={onClose} />
          <WeeklyGuests pgid={pgid} chatbot={chatbot} mail={data} />
        </>
      )}
    </Modal>
  )
}

/** A Monday. */
const MONDAY = Date.UTC(2026, 0, 5)
const named = (options: Intl.DateTimeFormatOptions, at: number) =>
  new Intl.DateTimeFormat(i18next.language, { ...options, timeZone: 'UTC' }).format(at)
const weekdays = () =>
  Array.from({ length: 7 }, (_, day) => ({
    value: String(day + 1),
    label: named({ weekday: 'long' }, MONDAY + day * 86_400_000),
  }))
const hours = () =>
  Array.from({ length: 24 }, (_, hour) => ({
    value: String(hour),
    label: named({ hour: 'numeric', minute: '2-digit' }, MONDAY + hour * 3_600_000),
  }))

function Times({ pgid, chatbot, mail, onClose }: WeeklyMailProps & { mail: WeeklyMail }) {
  const { t } = useTranslation('analytics')
  const { t: common } = useTranslation()
  const { mail_server: mailServer } = useAccount()
  const { save } = useWeeklyMail(pgid, chatbot)
  const [wanted, setWanted] = useState({
    ...{ enabled: mail.enabled, weekday: mail.weekday, hour: mail.hour },
    // nobody has chosen a zone before the first time
    zone: mail.next === null ? ownZone() : mail.zone,
  })
  function submit(event: SubmitEvent): void {
    event.preventDefault()
    save.mutate(wanted, {
      onSuccess: ({ next }) => {
        notify.success(next ? t('weekly.on', { next: formatMoment(next) }) : t('weekly.off'))
        onClose()
      },
    })
  }
  return (
    <form onSubmit={submit} noValidate className={styles.weekly}>
      <Switch
        data-autofocus
        label={t('weekly.enabled')}
        checked={wanted.enabled}
        onChange={({ currentTarget: { checked } }) => setWanted({ ...wanted, enabled: checked })}
      />
      {!mailServer && <p className={styles.hint}>{t('weekly.outbox')}</p>}
      <div className={styles.weeklyTimes}>
        <Select
          label={t('weekly.weekday')}
          allowDeselect={false}
          data={weekdays()}
          value={String(wanted.weekday)}
          onChange={(value) => setWanted({ ...wanted, weekday: Number(value) })}
        />
        <Select
          label={t('weekly.hour')}
          allowDeselect={false}
          data={hours()}
          value={String(wanted.hour)}
          onChange={(value) => setWanted({ ...wanted, hour: Number(value) })}
        />
      </div>
      <Select
        label={t('zone')}
        allowDeselect={false}
        searchable
        data={zonesWith(wanted.zone)}
        value={wanted.zone}
        onChange={(value) => setWanted({ ...wanted, zone: value ?? wanted.zone })}
      />
      {save.error && (
        <p role="alert" className={styles.problem}>
          {failureText(save.error, common('errors.message'))}
        </p>
      )}
      <ModalActions>
        <Button onClick={onClose}>{common('actions.cancel')}</Button>
        <Button design="primary" type="submit" loading={save.isPending}>
          {common('actions.save')}
        </Button>
      </ModalActions>
    </form>
  )
}

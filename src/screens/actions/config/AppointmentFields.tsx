import { useQuery, useQueryClient } from '@tanstack/react-query'
import { RefreshCw, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { actionLengths } from '../../../../engine/values/agentActions'
import { bookingCaps } from '../../../../engine/values/bookings'
import type { ChoiceQuery } from '../../../../server/contracts/integrations'
import { useCan } from '../../../api/account'
import { failureText } from '../../../api/failure'
import { choicesQuery, integrationsQuery, loadChoices } from '../../../api/integrations'
import { Button } from '../../../ui/Button'
import { IconButton } from '../../../ui/IconButton'
import { Select } from '../../../ui/Select'
import styles from '../actions.module.css'
import { Counted } from '../Counted'
import { useConfig, useDraft } from '../draft'

/** The account at Calendly, what is booked there, and words for visitors. */
export function AppointmentFields() {
  const { t } = useTranslation('actions')
  const { config, set } = useConfig('appointment')
  return (
    <>
      <AccountField />
      <EventTypeField key={config.connection} />
      <Counted
        label={t('appointment.timeZone')}
        path="config.time_zone"
        required
        mono
        hint={t('appointment.timeZoneHint')}
        value={config.time_zone}
        max={bookingCaps.timeZone}
        onChange={(time_zone) => set({ time_zone })}
      />
      <p className={styles.hint}>{t('appointment.words')}</p>
      <div className={styles.pair}>
        <Counted
          label={t('appointment.reschedule')}
          path="config.reschedule_label"
          required
          value={config.reschedule_label}
          max={actionLengths.buttonLabel}
          onChange={(reschedule_label) => set({ reschedule_label })}
        />
        <Counted
          label={t('appointment.cancel')}
          path="config.cancel_label"
          required
          value={config.cancel_label}
          max={actionLengths.buttonLabel}
          onChange={(cancel_label) => set({ cancel_label })}
        />
      </div>
      <Counted
        label={t('appointment.link')}
        path="config.link_label"
        required
        hint={t('appointment.linkHint')}
        value={config.link_label}
        max={actionLengths.buttonLabel}
        onChange={(link_label) => set({ link_label })}
      />
    </>
  )
}

function AccountField() {
  const { t } = useTranslation('actions')
  const { pgid = '' } = useParams()
  const { config, set } = useConfig('appointment')
  const { errors, readOnly } = useDraft()
  const sees = useCan('integrations.view')
  const { data, isPending } = useQuery({ ...integrationsQuery(pgid), enabled: sees })
  if (!sees) return <p className={styles.hint}>{t('appointment.unseen')}</p>
  const own = data?.connections.filter(({ vendor }) => vendor === 'calendly') ?? []
  const problem = own.find(({ gid }) => gid === config.connection)?.problem
  if (data && own.length === 0)
    return (
      <div className={styles.notice} role="note">
        <TriangleAlert size={16} aria-hidden />
        <p>{errors['config.connection'] ?? t('appointment.none')}</p>
        <Button size="s" to={`/projects/${pgid}/integrations`}>
          {t('appointment.connect')}
        </Button>
      </div>
    )
  const isGone = data !== undefined && config.connection !== '' && !own.some(({ gid }) => gid === config.connection)
  return (
    <Select
      label={t('appointment.account')}
      withAsterisk
      placeholder={isPending ? t('appointment.loading') : undefined}
      data={own.map(({ gid, account }) => ({ value: gid, label: account }))}
      value={isGone ? null : config.connection || null}
      allowDeselect={false}
      disabled={readOnly}
      error={problem?.message ?? errors['config.connection'] ?? (isGone ? t('appointment.gone') : undefined)}
      onChange={(connection) => set({ connection: connection ?? '', event_type: { id: '', name: '' } })}
    />
  )
}

function EventTypeField() {
  const { t } = useTranslation('actions')
  const { t: common } = useTranslation()
  const { pgid = '' } = useParams()
  const { config, set } = useConfig('appointment')
  const { errors, readOnly } = useDraft()
  const { connection, event_type } = config
  const isOn = useCan('integrations.view') && connection !== ''
  const queries = useQueryClient()
  const query = choicesQuery(pgid, connection, 'event-types')
  const { data, error, isFetching } = useQuery({ ...query, enabled: isOn })
  const asked: ChoiceQuery = { list: 'event-types', within: [], search: '', reload: true }
  const reload = () =>
    queries.fetchQuery({ ...query, queryFn: ({ signal }) => loadChoices(pgid, connection, asked, signal) })
  const offered = (data?.choices ?? []).map(({ id, label }) => ({ value: id, label }))
  // what was chosen stays, even if it is no longer offered
  const isOffered = event_type.id === '' || offered.some(({ value }) => value === event_type.id)
  const shown = isOffered ? offered : [{ value: event_type.id, label: event_type.name }, ...offered]
  const problem = error ? failureText(error, common('errors.message')) : data?.problem
  return (
    <div className={styles.removable}>
      <Select
        label={t('appointment.eventType')}
        withAsterisk
        placeholder={isFetching ? t('appointment.loading') : undefined}
        data={shown}
        value={event_type.id || null}
        allowDeselect={false}
        disabled={readOnly || connection === ''}
        error={errors['config.event_type.id'] ?? problem ?? undefined}
        onChange={(id) => {
          const choice = shown.find(({ value }) => value === id)
          if (choice) set({ event_type: { id: choice.value, name: choice.label } })
        }}
      />
      {!readOnly && isOn && (
        <IconButton
          label={t('appointment.reload')}
          icon={<RefreshCw size={14} />}
          disabled={isFetching}
          onClick={() => void reload().catch(() => undefined)}
        />
      )}
    </div>
  )
}

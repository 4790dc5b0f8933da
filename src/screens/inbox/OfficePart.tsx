import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type InboxSetup, setOffice } from '../../../server/contracts/inbox'
import { AWAY_CAP, type Office, TARGET_CAP } from '../../../server/contracts/office'
import { callRoute } from '../../api/client'
import { failureText, fieldsOf } from '../../api/failure'
import { refreshSetup } from '../../api/inbox'
import { OpenHoursFields, officeWeek } from '../../hours/OpenHoursFields'
import { Button } from '../../ui/Button'
import { notify } from '../../ui/notify'
import { Select } from '../../ui/Select'
import { Switch } from '../../ui/Switch'
import { TextArea } from '../../ui/TextArea'
import { TextField } from '../../ui/TextField'
import styles from './inbox.module.css'
import { useInboxPlace } from './inboxPlace'
import layout from './office.module.css'

const PROJECT = 'project'

/** When the project and its teams answer visitors, and how soon. */
export function OfficePart({ setup }: { setup: InboxSetup }) {
  const { t } = useTranslation('inbox')
  const [whose, setWhose] = useState(PROJECT)
  const team = setup.teams.find(({ gid }) => gid === whose)
  return (
    <>
      {setup.teams.length > 0 && (
        <Select
          label={t('office.whose')}
          data={[
            { value: PROJECT, label: t('office.project') },
            ...setup.teams.map(({ gid, name }) => ({ value: gid, label: name })),
          ]}
          value={team ? whose : PROJECT}
          allowDeselect={false}
          onChange={(value) => setWhose(value ?? PROJECT)}
        />
      )}
      <OfficeForm key={team?.gid ?? PROJECT} team={team?.gid ?? null} office={team?.office ?? setup.office} />
    </>
  )
}

function OfficeForm({ team, office }: { team: string | null; office: Office }) {
  const { t } = useTranslation('inbox')
  const { pgid } = useInboxPlace()
  const client = useQueryClient()
  const [draft, setDraft] = useState(office)
  const save = useMutation({
    mutationFn: () => callRoute(setOffice, { params: { pgid }, body: { team, office: draft } }),
    onSuccess: async () => {
      await refreshSetup(client, pgid)
      notify.success(t('office.saved'))
    },
    onError: (error) => {
      if (Object.keys(fieldsOf(error)).length === 0) notify.error(failureText(error, t('failed')))
    },
  })
  const wrong = save.error ? fieldsOf(save.error) : {}
  const set = (part: Partial<Office>) => setDraft({ ...draft, ...part })
  const { hours } = draft
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    save.mutate()
  }
  const target = (name: 'first_answer_minutes' | 'resolution_minutes') => (
    <TextField
      type="number"
      label={t(`office.${name}`)}
      placeholder={team ? t('office.asProject') : t('office.none')}
      min={1}
      max={TARGET_CAP}
      value={draft[name] === null ? '' : String(draft[name])}
      error={wrong[`office.${name}`]}
      onChange={({ currentTarget: { value } }) => set({ [name]: value === '' ? null : Number(value) })}
    />
  )
  return (
    <form className={layout.office} onSubmit={submit} aria-label={t('setup.office')}>
      <Switch
        label={t(team ? 'office.ownHours' : 'office.hours')}
        description={t(team ? 'office.ownHoursHint' : 'office.hoursHint')}
        checked={hours !== null}
        onChange={(event) =>
          set({
            hours: event.currentTarget.checked
              ? { time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone, week: officeWeek(), exceptions: [] }
              : null,
          })
        }
      />
      {hours && (
        <OpenHoursFields
          schedule={hours}
          wrong={below(wrong, 'office.hours.')}
          readOnly={false}
          set={(part) => set({ hours: { ...hours, ...part } })}
        />
      )}
      <TextArea
        label={t('office.away')}
        description={t('office.awayHint')}
        value={draft.away_message}
        maxLength={AWAY_CAP}
        error={wrong['office.away_message']}
        onChange={(event) => set({ away_message: event.currentTarget.value })}
      />
      <div className={layout.targets}>
        {target('first_answer_minutes')}
        {target('resolution_minutes')}
      </div>
      <p className={styles.muted}>{t('office.targetsHint')}</p>
      <Button type="submit" design="primary" loading={save.isPending}>
        {t('office.save')}
      </Button>
    </form>
  )
}

/** What is wrong below a path. */
const below = (wrong: Readonly<Record<string, string>>, path: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(wrong).flatMap(([each, message]) =>
      each.startsWith(path) ? [[each.slice(path.length), message]] : [],
    ),
  )

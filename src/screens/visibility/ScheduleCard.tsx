import { CalendarPlus, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { opennessAt } from '../../../engine/values/openHours'
import type { VisibilitySettings } from '../../../server/contracts/web/settings'
import type { SettingsForm } from '../../chatbots/WebSettingsScreen'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { IconButton } from '../../ui/IconButton'
import { Segmented } from '../../ui/Segmented'
import { Select } from '../../ui/Select'
import { Switch } from '../../ui/Switch'
import { TextArea } from '../../ui/TextArea'
import { TextField } from '../../ui/TextField'
import { DayHours } from './DayHours'
import { momentIn, weekdayName } from './days'
import styles from './visibility.module.css'

type Schedule = VisibilitySettings['schedule']
const OFFICE = { from: 9 * 60, to: 17 * 60 }
const officeWeek = (): Schedule['week'] => Array.from({ length: 7 }, (_, day) => (day < 5 ? [OFFICE] : []))
const zones = Intl.supportedValuesOf('timeZone').concat('UTC')
const MOST_EXCEPTIONS = 100

/** When visitors are let in, and what they meet else. */
export function ScheduleCard(form: SettingsForm<VisibilitySettings>) {
  const { draft, change, readOnly } = form
  const { t } = useTranslation('visibility')
  const { schedule } = draft
  const set = (part: Partial<Schedule>) => change({ schedule: { ...schedule, ...part } })
  function switchOn(enabled: boolean): void {
    const isFresh = schedule.week.every((day) => day.length === 0) && schedule.exceptions.length === 0
    set(
      enabled && isFresh
        ? { enabled, week: officeWeek(), time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone }
        : { enabled },
    )
  }
  return (
    <Card
      title={t('schedule.title')}
      description={t('schedule.description')}
      actions={
        <Switch
          aria-label={t('schedule.label')}
          checked={schedule.enabled}
          disabled={readOnly}
          onChange={(event) => switchOn(event.currentTarget.checked)}
        />
      }
    >
      {schedule.enabled && <Hours {...form} set={set} />}
    </Card>
  )
}

function Hours({
  draft: { schedule },
  wrong,
  readOnly,
  set,
}: SettingsForm<VisibilitySettings> & { set: (part: Partial<Schedule>) => void }) {
  const { t } = useTranslation('visibility')
  const setDay = (day: number, hours: Schedule['week'][number]) =>
    set({ week: schedule.week.map((old, index) => (index === day ? hours : old)) })
  return (
    <div className={styles.parts}>
      <div className={styles.zone}>
        <Select
          label={t('schedule.zone')}
          data={zones}
          value={schedule.time_zone}
          readOnly={readOnly}
          error={wrong['schedule.time_zone']}
          allowDeselect={false}
          onChange={(zone) => zone && set({ time_zone: zone })}
        />
        <Now schedule={schedule} />
      </div>
      <section className={styles.group} aria-label={t('schedule.week')}>
        <h3>{t('schedule.week')}</h3>
        <ul className={styles.days}>
          {schedule.week.map((hours, day) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the days of a week stay in their places
            <li key={day}>
              <DayHours
                name={weekdayName(day)}
                hours={hours}
                wrong={problemsOf(wrong, `schedule.week.${day}`)}
                readOnly={readOnly}
                onChange={(changed) => setDay(day, changed)}
                onCopy={(days) =>
                  set({ week: schedule.week.map((old, index) => (days.includes(index) ? hours : old)) })
                }
                day={day}
              />
            </li>
          ))}
        </ul>
      </section>
      <Exceptions schedule={schedule} wrong={wrong} readOnly={readOnly} set={set} />
      <section className={styles.group} aria-label={t('outside.title')}>
        <h3>{t('outside.title')}</h3>
        <fieldset className={styles.plain} disabled={readOnly}>
          <Segmented
            label={t('outside.title')}
            value={schedule.outside}
            options={(['hidden', 'message', 'form'] as const).map((value) => ({ value, label: t(`outside.${value}`) }))}
            onChange={(outside) => set({ outside })}
          />
        </fieldset>
        <p className={styles.hint}>{t(`outside.${schedule.outside}Hint`)}</p>
        {schedule.outside !== 'hidden' && (
          <TextArea
            label={t('outside.words')}
            placeholder={t('outside.wordsExample')}
            value={schedule.message}
            maxLength={1_000}
            readOnly={readOnly}
            error={wrong['schedule.message']}
            onChange={(event) => set({ message: event.currentTarget.value })}
          />
        )}
      </section>
    </div>
  )
}

/** What it comes to now, by the browser's clock. */
function Now({ schedule }: { schedule: Schedule }) {
  const { t, i18n } = useTranslation('visibility')
  const { open, until } = opennessAt(schedule, Math.floor(Date.now() / 60_000))
  const when = until === null ? null : momentIn(i18n.language, until, schedule.time_zone)
  return (
    <p className={styles.now} role="status">
      <Badge dot tone={open ? 'success' : 'neutral'}>
        {open
          ? when
            ? t('now.openUntil', { when })
            : t('now.open')
          : when
            ? t('now.closedUntil', { when })
            : t('now.closed')}
      </Badge>
    </p>
  )
}

function Exceptions({
  schedule,
  wrong,
  readOnly,
  set,
}: Pick<SettingsForm<VisibilitySettings>, 'wrong' | 'readOnly'> & {
  schedule: Schedule
  set: (part: Partial<Schedule>) => void
}) {
  const { t } = useTranslation('visibility')
  const { exceptions } = schedule
  // rows keep their fields while others go
  const [keys, setKeys] = useState(() => exceptions.map((_, index) => index))
  const put = (index: number, part: Partial<Schedule['exceptions'][number]>) =>
    set({ exceptions: exceptions.map((old, each) => (each === index ? { ...old, ...part } : old)) })
  return (
    <section className={styles.group} aria-label={t('exceptions.title')}>
      <h3>{t('exceptions.title')}</h3>
      <p className={styles.hint}>{t('exceptions.hint')}</p>
      {exceptions.length > 0 && (
        <ul className={styles.days}>
          {exceptions.map(({ date, hours }, index) => (
            <li key={keys[index] ?? `new-${index}`}>
              <div className={styles.exception}>
                <TextField
                  type="date"
                  aria-label={t('exceptions.date')}
                  value={date}
                  readOnly={readOnly}
                  error={wrong[`schedule.exceptions.${index}.date`]}
                  onChange={(event) => put(index, { date: event.currentTarget.value })}
                />
                {!readOnly && (
                  <IconButton
                    size="s"
                    label={t('exceptions.remove', { date: date || t('exceptions.date') })}
                    icon={<X />}
                    onClick={() => {
                      setKeys(keys.filter((_, each) => each !== index))
                      set({ exceptions: exceptions.filter((_, each) => each !== index) })
                    }}
                  />
                )}
              </div>
              <DayHours
                name={date || t('exceptions.date')}
                hideName
                hours={hours}
                wrong={problemsOf(wrong, `schedule.exceptions.${index}.hours`)}
                readOnly={readOnly}
                onChange={(changed) => put(index, { hours: changed })}
              />
            </li>
          ))}
        </ul>
      )}
      {!readOnly && exceptions.length < MOST_EXCEPTIONS && (
        <div>
          <Button
            size="s"
            icon={<CalendarPlus size={14} />}
            onClick={() => {
              setKeys([...keys, Math.max(-1, ...keys) + 1])
              set({ exceptions: [...exceptions, { date: '', hours: [] }] })
            }}
          >
            {t('exceptions.add')}
          </Button>
        </div>
      )}
    </section>
  )
}

/** What is wrong below a path, by the hours' place. */
const problemsOf = (wrong: Readonly<Record<string, string>>, path: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(wrong)
      .filter(([each]) => each.startsWith(`${path}.`))
      .map(([each, message]) => [each.slice(path.length + 1), message]),
  )

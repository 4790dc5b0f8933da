import { CalendarPlus, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Hours, type OpenHours, opennessAt } from '../../engine/values/openHours'
import { Badge } from '../ui/Badge'
import { Button } from '../ui/Button'
import { IconButton } from '../ui/IconButton'
import { Select } from '../ui/Select'
import { TextField } from '../ui/TextField'
import { DayHours } from './DayHours'
import { momentIn, weekdayName } from './days'
import styles from './openHours.module.css'

/** Hours that are edited: `OpenHours`, in lists that may be changed. */
export interface Schedule extends OpenHours {
  week: Hours[][]
  exceptions: { date: string; hours: Hours[] }[]
}

interface OpenHoursFieldsProps {
  schedule: Schedule
  /** what is wrong, by path: `week.0.1`, `exceptions.0.date` */
  wrong: Readonly<Record<string, string>>
  readOnly: boolean
  set: (part: Partial<Schedule>) => void
}

const OFFICE = { from: 9 * 60, to: 17 * 60 }
/** Monday to Friday, nine to five. */
export const officeWeek = (): Schedule['week'] => Array.from({ length: 7 }, (_, day) => (day < 5 ? [OFFICE] : []))
const zones = Intl.supportedValuesOf('timeZone').concat('UTC')
const MOST_EXCEPTIONS = 100

/** Hours of a week in a time zone, and days that are otherwise. */
export function OpenHoursFields({ schedule, wrong, readOnly, set }: OpenHoursFieldsProps) {
  const { t } = useTranslation('visibility')
  const setDay = (day: number, hours: Schedule['week'][number]) =>
    set({ week: schedule.week.map((old, index) => (index === day ? hours : old)) })
  return (
    <>
      <div className={styles.zone}>
        <Select
          label={t('schedule.zone')}
          data={zones}
          value={schedule.time_zone}
          readOnly={readOnly}
          error={wrong.time_zone}
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
                wrong={problemsOf(wrong, `week.${day}`)}
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
    </>
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

function Exceptions({ schedule, wrong, readOnly, set }: OpenHoursFieldsProps) {
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
                  error={wrong[`exceptions.${index}.date`]}
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
                wrong={problemsOf(wrong, `exceptions.${index}.hours`)}
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

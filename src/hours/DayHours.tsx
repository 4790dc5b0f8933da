import { Copy, Plus, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Hours } from '../../engine/values/openHours'
import { minuteOf, timeOf } from '../i18n/timeOfDay'
import { IconButton } from '../ui/IconButton'
import { Menu } from '../ui/Menu'
import { TextField } from '../ui/TextField'
import { weekdayName } from './days'
import styles from './openHours.module.css'

const MOST = 6
const DAY = 1_440

interface DayHoursProps {
  /** of the day */
  name: string
  hideName?: boolean
  hours: Hours[]
  /** what is wrong, by the place of the hours */
  wrong: Readonly<Record<string, string>>
  readOnly: boolean
  onChange: (hours: Hours[]) => void
  /** days of a week can be like another */
  day?: number
  onCopy?: (days: number[]) => void
}

/** The hours of one day. */
export function DayHours({ name, hideName, hours, wrong, readOnly, onChange, day, onCopy }: DayHoursProps) {
  const { t } = useTranslation('visibility')
  const put = (index: number, part: Partial<Hours>) =>
    onChange(hours.map((old, each) => (each === index ? { ...old, ...part } : old)))
  function add(): void {
    const last = hours.at(-1)?.to ?? 8 * 60
    const from = Math.min(last + 60, DAY - 60)
    onChange([...hours, { from, to: Math.min(from + (hours.length === 0 ? 8 * 60 : 120), DAY) }])
  }
  return (
    <fieldset className={styles.day} aria-label={name}>
      {!hideName && <span className={styles.dayName}>{name}</span>}
      <div className={styles.ranges}>
        {hours.length === 0 && <span className={styles.closed}>{t('day.closed')}</span>}
        {hours.map(({ from, to }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: hours of a day have no other name than their place
          <div key={index} className={styles.range}>
            <TextField
              type="time"
              aria-label={t('day.from', { day: name })}
              value={timeOf(from)}
              readOnly={readOnly}
              error={wrong[index] !== undefined}
              onChange={(event) => {
                const minute = minuteOf(event.currentTarget.value)
                if (minute !== null) put(index, { from: minute })
              }}
            />
            <span aria-hidden="true">–</span>
            <TextField
              type="time"
              aria-label={t('day.to', { day: name })}
              value={timeOf(to)}
              readOnly={readOnly}
              error={wrong[index] !== undefined}
              onChange={(event) => {
                const minute = minuteOf(event.currentTarget.value)
                // a day ends at midnight
                if (minute !== null) put(index, { to: minute || DAY })
              }}
            />
            {!readOnly && (
              <IconButton
                size="s"
                label={t('day.remove', { day: name, from: timeOf(from), to: timeOf(to) })}
                icon={<X />}
                onClick={() => onChange(hours.filter((_, each) => each !== index))}
              />
            )}
            {wrong[index] && (
              <p role="alert" className={styles.problem}>
                {wrong[index]}
              </p>
            )}
          </div>
        ))}
      </div>
      {!readOnly && (
        <div className={styles.dayActions}>
          {hours.length < MOST && (
            <IconButton size="s" label={t('day.add', { day: name })} icon={<Plus />} onClick={add} />
          )}
          {onCopy && day !== undefined && <CopyMenu name={name} day={day} onCopy={onCopy} />}
        </div>
      )}
    </fieldset>
  )
}

const WORKDAYS = [0, 1, 2, 3, 4]
const ALL = [0, 1, 2, 3, 4, 5, 6]

function CopyMenu({ name, day, onCopy }: { name: string; day: number; onCopy: (days: number[]) => void }) {
  const { t } = useTranslation('visibility')
  return (
    <Menu>
      <Menu.Target>
        <IconButton size="s" label={t('day.copy', { day: name })} icon={<Copy />} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onCopy(WORKDAYS)}>{t('day.copyWorkdays')}</Menu.Item>
        <Menu.Item onClick={() => onCopy(ALL)}>{t('day.copyAll')}</Menu.Item>
        <Menu.Divider />
        {ALL.filter((other) => other !== day).map((other) => (
          <Menu.Item key={other} onClick={() => onCopy([other])}>
            {weekdayName(other)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

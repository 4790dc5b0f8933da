import { useTranslation } from 'react-i18next'
import type { VisibilitySettings } from '../../../server/contracts/web/settings'
import type { SettingsForm } from '../../chatbots/WebSettingsScreen'
import { OpenHoursFields, officeWeek } from '../../hours/OpenHoursFields'
import { Card } from '../../ui/Card'
import { Segmented } from '../../ui/Segmented'
import { Switch } from '../../ui/Switch'
import { TextArea } from '../../ui/TextArea'
import styles from './visibility.module.css'

type Schedule = VisibilitySettings['schedule']

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
  return (
    <div className={styles.parts}>
      <OpenHoursFields schedule={schedule} wrong={below(wrong, 'schedule.')} readOnly={readOnly} set={set} />
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

/** What is wrong below a path. */
const below = (wrong: Readonly<Record<string, string>>, path: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(wrong).flatMap(([each, message]) =>
      each.startsWith(path) ? [[each.slice(path.length), message]] : [],
    ),
  )

import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import {
  featureOfKind,
  type NotificationKind,
  type NotificationWay,
  notificationKinds,
  type PersonalSettings,
} from '../../../server/contracts/personalNotifications'
import { useAccount, useAccountStore } from '../../api/account'
import { failureText } from '../../api/failure'
import { mySettingsQuery, useSaveMySettings } from '../../api/personalNotifications'
import { isAllowed } from '../../api/roles'
import { minuteOf, timeOf } from '../../i18n/timeOfDay'
import { playSound } from '../../notifications/playSound'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { Segmented } from '../../ui/Segmented'
import { Select } from '../../ui/Select'
import { Switch } from '../../ui/Switch'
import { TextField } from '../../ui/TextField'
import { failureOf } from './failureOf'
import styles from './notificationSettings.module.css'
import { PushCard } from './PushCard'

const ways = ['app', 'mail', 'push'] as const satisfies NotificationWay[]
const zones = Intl.supportedValuesOf('timeZone').concat('UTC')

/** What the account is told of in a project, and how. Changes are saved at once. */
export function MyNotifications({ pgid }: { pgid: string }) {
  const { t } = useTranslation('notifications')
  const { t: common } = useTranslation()
  const { data, error, refetch } = useQuery(mySettingsQuery(pgid))
  if (error)
    return (
      <ErrorCard
        message={failureText(error, common('errors.message'))}
        action={{ label: common('actions.retry'), onClick: () => void refetch() }}
      />
    )
  if (!data) return <LoadingState rows={6} height={40} />
  return (
    <>
      <Card title={t('mine.title')} description={t('mine.description')}>
        <Settings pgid={pgid} saved={data.settings} />
      </Card>
      <PushCard />
    </>
  )
}

function Settings({ pgid, saved }: { pgid: string; saved: PersonalSettings }) {
  const { t } = useTranslation('notifications')
  const { t: common } = useTranslation()
  const save = useSaveMySettings(pgid)
  // optimistic
  const settings = save.isPending ? save.variables : saved
  const change = (part: Partial<PersonalSettings>) =>
    // whoever sets hours means those of the own clock
    save.mutate({ ...settings, time_zone: settings.time_zone === 'UTC' ? ownZone() : settings.time_zone, ...part })
  return (
    <div className={styles.parts}>
      <Kinds settings={settings} change={change} />
      <div className={styles.group}>
        <h3>{t('mine.often')}</h3>
        <Segmented
          label={t('mine.often')}
          value={settings.mail}
          options={(['at_once', 'hourly', 'daily'] as const).map((value) => ({ value, label: t(`mine.${value}`) }))}
          onChange={(mail) => change({ mail })}
        />
      </div>
      <div className={styles.sound}>
        <Switch
          label={t('mine.sound')}
          description={t('mine.soundHint')}
          checked={settings.sound}
          onChange={(event) => change({ sound: event.currentTarget.checked })}
        />
        <Button size="s" onClick={playSound}>
          {t('mine.playSound')}
        </Button>
      </div>
      <div className={styles.group}>
        <Switch
          label={t('mine.quiet')}
          description={t('mine.quietHint')}
          checked={settings.quiet.enabled}
          onChange={(event) => change({ quiet: { ...settings.quiet, enabled: event.currentTarget.checked } })}
        />
        {settings.quiet.enabled && (
          <div className={styles.quiet}>
            {(['from', 'to'] as const).map((end) => (
              <TextField
                key={end}
                type="time"
                label={t(`mine.${end}`)}
                value={timeOf(settings.quiet[end])}
                onChange={(event) => {
                  const minute = minuteOf(event.currentTarget.value)
                  if (minute !== null) change({ quiet: { ...settings.quiet, [end]: minute } })
                }}
              />
            ))}
            <Select
              label={t('mine.zone')}
              data={zones}
              searchable
              allowDeselect={false}
              value={settings.time_zone}
              onChange={(zone) => zone && save.mutate({ ...settings, time_zone: zone })}
            />
          </div>
        )}
      </div>
      {save.error && (
        <p role="alert" className={styles.problem}>
          {t('mine.failed', { message: failureOf(save.error, common('errors.message')) })}
        </p>
      )}
    </div>
  )
}

const ownZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone

function Kinds({
  settings: { wants },
  change,
}: {
  settings: PersonalSettings
  change: (part: Partial<PersonalSettings>) => void
}) {
  const { t } = useTranslation('notifications')
  const { project_roles: roles } = useAccount().user
  const features = useAccountStore((state) => state.featureRoles)
  const kinds = notificationKinds.filter((kind) => isAllowed(featureOfKind[kind], roles, features))
  const set = (kind: NotificationKind, way: NotificationWay, on: boolean) =>
    change({ wants: { ...wants, [kind]: { ...wants[kind], [way]: on } } })
  return (
    <table className={styles.kinds}>
      <thead>
        <tr>
          <th scope="col">{t('mine.kind')}</th>
          {ways.map((way) => (
            <th key={way} scope="col">
              {t(`mine.${way}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {kinds.map((kind) => (
          <tr key={kind}>
            <th scope="row">{t(`mine.kinds.${kind}`)}</th>
            {ways.map((way) => (
              <td key={way}>
                <Switch
                  aria-label={t('mine.way', { kind: t(`mine.kinds.${kind}`), way: t(`mine.${way}`) })}
                  checked={wants[kind][way]}
                  onChange={(event) => set(kind, way, event.currentTarget.checked)}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

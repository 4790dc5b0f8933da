import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { readContinuation, saveContinuation } from '../../../server/contracts/web'
import { type ContinuationSettings, continuationSchema } from '../../../server/contracts/web/settings'
import { useAccount, useCan } from '../../api/account'
import { type SettingsForm, WebSettingsScreen } from '../../chatbots/WebSettingsScreen'
import { Card } from '../../ui/Card'
import { Switch } from '../../ui/Switch'
import { TextField } from '../../ui/TextField'
import styles from './answersByMail.module.css'

const routes = { read: readContinuation, save: saveContinuation }

/** /projects/:pgid/chatbots/:cgid/settings/answers-by-mail: people's answers to visitors who have left. */
export function AnswersByMailScreen() {
  const { t } = useTranslation('answersByMail')
  return (
    <WebSettingsScreen
      title={t('title')}
      description={t('description')}
      routes={routes}
      schema={continuationSchema}
      feature="settings.update"
    >
      {(form) => <Fields {...form} />}
    </WebSettingsScreen>
  )
}

function Fields({ draft, change, wrong, readOnly, place }: SettingsForm<ContinuationSettings>) {
  const { t } = useTranslation('answersByMail')
  const { mail_server: mailServer } = useAccount()
  const seesInbox = useCan('notifications.view')
  return (
    <Card
      title={t('mails.title')}
      description={mailServer ? t('mails.description') : t('mails.noServer')}
      actions={
        <Switch
          aria-label={t('mails.label')}
          checked={draft.enabled}
          disabled={readOnly}
          onChange={(event) => change({ enabled: event.currentTarget.checked })}
        />
      }
    >
      {draft.enabled && (
        <div className={styles.fields}>
          <TextField
            label={t('sender.label')}
            description={t('sender.hint')}
            value={draft.sender_name}
            maxLength={75}
            readOnly={readOnly}
            error={wrong.sender_name}
            onChange={(event) => change({ sender_name: event.currentTarget.value })}
          />
          <TextField
            className={styles.minutes}
            type="number"
            min={1}
            max={1_440}
            label={t('delay.label')}
            description={t('delay.hint')}
            value={Number.isNaN(draft.delay_minutes) ? '' : draft.delay_minutes}
            readOnly={readOnly}
            error={wrong.delay_minutes}
            onChange={(event) => change({ delay_minutes: event.currentTarget.valueAsNumber })}
          />
          {seesInbox && (
            <p className={styles.note}>
              {t('replies')} <Link to={`/projects/${place.pgid}/settings/project/mail-inbox`}>{t('openInbox')}</Link>
            </p>
          )}
        </div>
      )}
    </Card>
  )
}

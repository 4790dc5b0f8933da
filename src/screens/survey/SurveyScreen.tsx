import { useTranslation } from 'react-i18next'
import { readSurvey, saveSurvey } from '../../../server/contracts/web'
import { type SurveySettings, surveySchema } from '../../../server/contracts/web/settings'
import { useAccount } from '../../api/account'
import { type SettingsForm, WebSettingsScreen } from '../../chatbots/WebSettingsScreen'
import { UpgradeBanner } from '../../projects/UpgradeBanner'
import { Card } from '../../ui/Card'
import { Segmented } from '../../ui/Segmented'
import { Switch } from '../../ui/Switch'
import { TextField } from '../../ui/TextField'
import { ResultsCard } from './ResultsCard'
import styles from './survey.module.css'

const routes = { read: readSurvey, save: saveSurvey }

/** /projects/:pgid/chatbots/:cgid/settings/survey: what visitors are asked of a conversation, and what they said. */
export function SurveyScreen() {
  const { t } = useTranslation('survey')
  return (
    <WebSettingsScreen
      title={t('title')}
      description={t('description')}
      routes={routes}
      schema={surveySchema}
      feature="settings.update"
      after={(place) => <ResultsCard {...place} />}
    >
      {(form) => <Questions {...form} />}
    </WebSettingsScreen>
  )
}

function Questions({ draft, change, wrong, readOnly }: SettingsForm<SurveySettings>) {
  const { t } = useTranslation('survey')
  const onPlan = useAccount().user.subscription.features.survey === true
  return (
    <Card
      title={t('ask.title')}
      description={t('ask.description')}
      actions={
        <Switch
          aria-label={t('ask.label')}
          checked={draft.enabled}
          disabled={readOnly || (!onPlan && !draft.enabled)}
          onChange={(event) => change({ enabled: event.currentTarget.checked })}
        />
      }
    >
      {!onPlan && <UpgradeBanner />}
      {draft.enabled && (
        <div className={styles.parts}>
          <fieldset className={styles.plain} disabled={readOnly}>
            <legend>{t('scale.title')}</legend>
            <Segmented
              label={t('scale.title')}
              value={draft.rating.type}
              options={(['emoji', 'text'] as const).map((value) => ({ value, label: t(`scale.${value}`) }))}
              onChange={(type) => change({ rating: { type } })}
            />
          </fieldset>
          <ul className={styles.questions}>
            {(['resolved', 'follow_up', 'feedback'] as const).map((name) => (
              <li key={name}>
                <div>
                  <strong>{t(`questions.${name}`)}</strong>
                  <p>{t(`questions.${name}Hint`)}</p>
                </div>
                <Switch
                  label={t('questions.required')}
                  aria-label={t('questions.requiredOf', { question: t(`questions.${name}`) })}
                  checked={draft[name].required}
                  disabled={readOnly || !draft[name].enabled}
                  onChange={(event) => change({ [name]: { ...draft[name], required: event.currentTarget.checked } })}
                />
                <Switch
                  label={t('questions.ask')}
                  aria-label={t('questions.askOf', { question: t(`questions.${name}`) })}
                  checked={draft[name].enabled}
                  disabled={readOnly}
                  onChange={(event) =>
                    change({
                      [name]: {
                        enabled: event.currentTarget.checked,
                        required: event.currentTarget.checked && draft[name].required,
                      },
                    })
                  }
                />
              </li>
            ))}
          </ul>
          <TextField
            className={styles.minutes}
            type="number"
            min={0}
            max={1_440}
            label={t('after.title')}
            description={t('after.hint')}
            placeholder={t('after.never')}
            value={draft.after_minutes === 0 ? '' : String(draft.after_minutes)}
            readOnly={readOnly}
            error={wrong.after_minutes}
            onChange={(event) =>
              change({ after_minutes: Math.max(0, Math.floor(Number(event.currentTarget.value) || 0)) })
            }
          />
        </div>
      )}
    </Card>
  )
}

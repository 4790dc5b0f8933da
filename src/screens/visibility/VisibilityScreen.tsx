import { EyeOff, Globe, Link } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { readVisibility, saveVisibility } from '../../../server/contracts/web'
import { type VisibilitySettings, visibilitySchema } from '../../../server/contracts/web/settings'
import { type SettingsForm, WebSettingsScreen } from '../../chatbots/WebSettingsScreen'
import { Card } from '../../ui/Card'
import { Choice, Choices } from '../../ui/Choices'
import { Switch } from '../../ui/Switch'
import { LimitsCard } from './LimitsCard'
import { ScheduleCard } from './ScheduleCard'

const routes = { read: readVisibility, save: saveVisibility }

/** /projects/:pgid/chatbots/:cgid/settings/visibility: who finds the chatbot, when it is open, how much it takes. */
export function VisibilityScreen() {
  const { t } = useTranslation('visibility')
  return (
    <WebSettingsScreen
      title={t('title')}
      description={t('description')}
      routes={routes}
      schema={visibilitySchema}
      feature="visibility.update"
    >
      {(form) => (
        <>
          <WhoCard {...form} />
          <ScheduleCard {...form} />
          <LimitsCard {...form} />
          <ConsentCard {...form} />
        </>
      )}
    </WebSettingsScreen>
  )
}

function WhoCard({ draft, change, readOnly }: SettingsForm<VisibilitySettings>) {
  const { t } = useTranslation('visibility')
  return (
    <Card title={t('who.title')} description={t('who.description')}>
      <fieldset disabled={readOnly} style={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}>
        <Choices label={t('who.label')} value={draft.visibility} onChange={(visibility) => change({ visibility })}>
          <Choice value="public" icon={<Globe size={16} />} title={t('who.public')} description={t('who.publicHint')} />
          <Choice
            value="unlisted"
            icon={<Link size={16} />}
            title={t('who.unlisted')}
            description={t('who.unlistedHint')}
          />
          <Choice value="off" icon={<EyeOff size={16} />} title={t('who.off')} description={t('who.offHint')} />
        </Choices>
      </fieldset>
    </Card>
  )
}

function ConsentCard({ draft, change, readOnly }: SettingsForm<VisibilitySettings>) {
  const { t } = useTranslation('visibility')
  return (
    <Card
      title={t('consent.title')}
      description={t('consent.description')}
      actions={
        <Switch
          aria-label={t('consent.label')}
          checked={draft.consent}
          disabled={readOnly}
          onChange={(event) => change({ consent: event.currentTarget.checked })}
        />
      }
    />
  )
}

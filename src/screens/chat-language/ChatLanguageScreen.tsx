import { useTranslation } from 'react-i18next'
import { widgetLanguages } from '../../../engine/values/languages'
import { readLanguage, saveLanguage } from '../../../server/contracts/web'
import type { LanguageSettings } from '../../../server/contracts/web/settings'
import { useAccount } from '../../api/account'
import { type SettingsForm, WebSettingsScreen } from '../../chatbots/WebSettingsScreen'
import { Card } from '../../ui/Card'
import { Select } from '../../ui/Select'
import styles from './chatLanguage.module.css'
import { ownTextsSchema } from './ownTexts'
import { TextsCard } from './TextsCard'

const routes = { read: readLanguage, save: saveLanguage }

/** /projects/:pgid/chatbots/:cgid/settings/language: which language the chat itself speaks, and in which words. */
export function ChatLanguageScreen() {
  const { t } = useTranslation('chatLanguage')
  return (
    <WebSettingsScreen
      title={t('title')}
      description={t('description')}
      routes={routes}
      schema={ownTextsSchema}
      feature="settings.update"
    >
      {(form) => (
        <>
          <LanguageCard {...form} />
          <TextsCard {...form} />
        </>
      )}
    </WebSettingsScreen>
  )
}

function LanguageCard({ draft, change, readOnly }: SettingsForm<LanguageSettings>) {
  const { t } = useTranslation('chatLanguage')
  const version1 = useAccount().user.chatbot?.version === 1
  return (
    <Card title={t('language.title')} description={t('language.description')}>
      <Select
        className={styles.language}
        label={t('language.label')}
        data={[
          // SPEC.md 9: for version 2
          ...(version1 ? [] : [{ value: 'auto', label: t('language.auto') }]),
          ...widgetLanguages.map(({ code, name, own }) => ({
            value: code,
            label: name === own ? name : `${name} (${own})`,
          })),
        ]}
        value={draft.interface_language}
        disabled={readOnly}
        allowDeselect={false}
        onChange={(code) => code && change({ interface_language: code })}
      />
    </Card>
  )
}

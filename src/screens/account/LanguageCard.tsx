import { useTranslation } from 'react-i18next'
import { chooseLanguage, languageName, languages } from '../../i18n'
import { Card } from '../../ui/Card'
import { Select } from '../../ui/Select'

/** The language of the interface, which is chosen for this browser. */
export function LanguageCard() {
  const { t, i18n } = useTranslation('account')
  return (
    <Card title={t('language.title')} description={t('language.description')}>
      <Select
        label={t('language.label')}
        data={languages.map((language) => ({ value: language, label: languageName(language) }))}
        value={i18n.language}
        onChange={(language) => void (language && chooseLanguage(language))}
        allowDeselect={false}
      />
    </Card>
  )
}

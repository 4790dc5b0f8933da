import { useTranslation } from 'react-i18next'
import { switchLanguage } from '../../api/language'
import { languageName, languages } from '../../i18n'
import { Card } from '../../ui/Card'
import { Select } from '../../ui/Select'

/** The language of the interface, and of the mails to the account. */
export function LanguageCard() {
  const { t, i18n } = useTranslation('account')
  return (
    <Card title={t('language.title')} description={t('language.description')}>
      <Select
        label={t('language.label')}
        data={languages.map((language) => ({ value: language, label: languageName(language) }))}
        value={i18n.language}
        onChange={(language) => void (language && switchLanguage(language))}
        allowDeselect={false}
      />
    </Card>
  )
}

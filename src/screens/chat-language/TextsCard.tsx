import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { languageName, widgetLanguages } from '../../../engine/values/languages'
import { suggestionTexts } from '../../../engine/values/suggestionTexts'
import { type LanguageSettings, OWN_TEXTS_CAP } from '../../../server/contracts/web/settings'
import type { SettingsForm } from '../../chatbots/WebSettingsScreen'
import { Card } from '../../ui/Card'
import { Select } from '../../ui/Select'
import { Switch } from '../../ui/Switch'
import { TextField } from '../../ui/TextField'
import { loadPageTexts } from '../../widget/pageTexts'
import { loadTexts } from '../../widget/texts'
import styles from './chatLanguage.module.css'
import { chatTexts, withText } from './ownTexts'

/** The chat's texts in one language, each with room for words of one's own. */
export function TextsCard({ draft, change, wrong, readOnly }: SettingsForm<LanguageSettings>) {
  const { t } = useTranslation('chatLanguage')
  const chosen = draft.interface_language
  const [picked, setPicked] = useState<string | null>(null)
  const [search, setSearch] = useState('')
  const [changedOnly, setChangedOnly] = useState(false)
  const code = picked ?? (chosen === 'auto' ? (Object.keys(draft.texts)[0] ?? 'en') : chosen)
  const { data: spoken } = useQuery({
    queryKey: ['chat texts', code],
    queryFn: async () => {
      const [chat, page] = await Promise.all([loadTexts(code), loadPageTexts(code)])
      return { ...chat, texts: { ...suggestionTexts(code), ...page, ...chat.texts } as Record<string, string> }
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
  const own = draft.texts[code] ?? {}
  const said = (key: string, english: string) => spoken?.texts[key] ?? english
  const wanted = search.trim().toLowerCase()
  const rows = chatTexts.filter(([key, english]) => {
    if (changedOnly && !own[key] && !wrong[`texts.${code}.${key}`]) return false
    return [english, said(key, english), own[key] ?? ''].some((text) => text.toLowerCase().includes(wanted))
  })
  // problems of a language that is not shown would be looked for in vain
  const elsewhere = Object.keys(wrong)
    .map((path) => path.split('.')[1] ?? '')
    .find((other) => other !== '' && other !== code)
  return (
    <Card title={t('texts.title')} description={t('texts.description')}>
      <div className={styles.tools}>
        <Select
          label={t('texts.language')}
          data={widgetLanguages.map(({ code: value, name }) => ({
            value,
            label: draft.texts[value] ? t('texts.count', { name, n: Object.keys(draft.texts[value]).length }) : name,
          }))}
          value={code}
          allowDeselect={false}
          onChange={(next) => next && setPicked(next)}
        />
        <TextField
          type="search"
          label={t('texts.search')}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <Switch
          label={t('texts.changedOnly')}
          checked={changedOnly}
          onChange={(event) => setChangedOnly(event.currentTarget.checked)}
        />
      </div>
      {(wrong.texts || elsewhere) && (
        <p className={styles.problem} role="alert">
          {elsewhere
            ? t('texts.elsewhere', { language: languageName(elsewhere) })
            : t('texts.tooMuch', { n: OWN_TEXTS_CAP })}
        </p>
      )}
      {rows.length === 0 ? (
        <p className={styles.none}>{t('texts.none')}</p>
      ) : (
        <ul className={styles.rows} lang={spoken?.language} dir={spoken?.dir}>
          {rows.map(([key, english]) => (
            <li key={key}>
              <span>{said(key, english)}</span>
              <TextField
                aria-label={said(key, english)}
                value={own[key] ?? ''}
                maxLength={500}
                readOnly={readOnly}
                error={wrong[`texts.${code}.${key}`]}
                onChange={(event) => change({ texts: withText(draft.texts, code, key, event.currentTarget.value) })}
              />
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

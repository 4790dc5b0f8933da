import { useTranslation } from 'react-i18next'
import type { Languages } from '../../engine/translations/translation'
import { languageName } from '../../engine/values/languages'
import { Select } from '../ui/Select'
import css from './StartAs.module.css'

interface TalkInProps {
  languages: Languages
  /** what the visitor of the test speaks; undefined: nobody has said */
  spoken: string | undefined
  onChange: (code: string) => void
}

/** The language of the visitor whom the tester stands for: the test begins again in it. */
export function TalkIn({ languages: { main, others }, spoken, onChange }: TalkInProps) {
  const { t } = useTranslation('preview')
  const codes = [main, ...others]
  return (
    <Select
      className={css.talkIn}
      size="xs"
      aria-label={t('talkIn')}
      data={codes.map((code) => ({ value: code, label: languageName(code) }))}
      value={spoken !== undefined && codes.includes(spoken) ? spoken : main}
      allowDeselect={false}
      comboboxProps={{ position: 'bottom-end' }}
      onChange={(code) => code && onChange(code)}
    />
  )
}

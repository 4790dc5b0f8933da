import { useTranslation } from 'react-i18next'
import { KeyHint } from '../ui/KeyHint'

/** The palette's keys. */
export function PaletteFoot() {
  const { t } = useTranslation('palette')
  return (
    <>
      <span>
        <KeyHint keys={['↑', '↓']} /> {t('walk')}
      </span>
      <span>
        <KeyHint keys={['Enter']} /> {t('take')}
      </span>
      <span>
        <KeyHint keys={['Esc']} /> {t('leave')}
      </span>
    </>
  )
}

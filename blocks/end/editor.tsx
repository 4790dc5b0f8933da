import { useTranslation } from 'react-i18next'
import { FormNote } from '../../src/text/form/FormNote'

/** Nothing to set: says what the block does. */
export default function EndEditor() {
  const { t } = useTranslation('blocks')
  return <FormNote>{t('end.note')}</FormNote>
}

import { useTranslation } from 'react-i18next'
import { FormNote } from '../../src/text/form/FormNote'

/** No settings: explains the block. */
export default function WhatsappWindowEditor() {
  const { t } = useTranslation('blocks')
  return <FormNote>{t('whatsapp-window.note')}</FormNote>
}

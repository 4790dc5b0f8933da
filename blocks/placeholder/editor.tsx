import { useTranslation } from 'react-i18next'
import type { BlockEditorProps } from '../../src/text/blockEditor'
import { FormNote, JsonView } from '../../src/text/form/FormNote'
import { productName } from './face'
import type { PlaceholderData } from './schema'

/** Shows the kept data of an unsupported block, and why it was not imported. */
export default function PlaceholderEditor({ data }: BlockEditorProps<PlaceholderData>) {
  const { t } = useTranslation('blocks')
  return (
    <>
      <FormNote>{t('placeholder.note', { product: productName(data.product), type: data.type })}</FormNote>
      {data.reason !== '' && <FormNote label={t('placeholder.fields.reason.label')}>{data.reason}</FormNote>}
      <JsonView label={t('placeholder.fields.data.label')} data={data.data} />
    </>
  )
}

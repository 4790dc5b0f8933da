import { ClipboardList } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { caps, counts } from '../../engine/values/caps'
import { lineCardText, listCardTexts, richCardText } from '../../src/text/face/cardTexts'
import { FaceRichText, FaceText, isEmptyRichText, richTextHeight } from '../../src/text/face/FaceText'
import { DynamicView } from '../../src/text/RichTextView'
import { type BlockFace, type FaceProps, faceMetrics } from '../../src/ui/blockFace'
import styles from './face.module.css'
import { type FormData, newFormField } from './schema'

const PROMPT_LINES = 4
const { line, row, rowGap } = faceMetrics

function FormFace({ data, names }: FaceProps<FormData>) {
  const { t } = useTranslation('blocks')
  return (
    <>
      {!isEmptyRichText(data.prompt) && (
        <div style={{ marginBottom: rowGap }}>
          <FaceRichText name="prompt" value={data.prompt} max={PROMPT_LINES} nameOf={names.variable} empty="" />
        </div>
      )}
      {data.fields.length === 0 && (
        <FaceText lines={1} faint>
          {t('form.face.empty')}
        </FaceText>
      )}
      {data.fields.map((field) => (
        <div key={field.id} className={styles.field} style={{ height: line }}>
          <span className={styles.label} data-text={field.id}>
            {isBlank(field) ? (
              <span className={styles.type}>{t('form.face.untitled')}</span>
            ) : (
              <DynamicView value={field.label} nameOf={names.variable} />
            )}
            {field.required && ' *'}
          </span>
          <span className={styles.type}>{t(`form.fields.fields-type.options.${field.type}`)}</span>
        </div>
      ))}
      <div className={styles.submit} data-text="submitLabel" style={{ height: row - rowGap, marginTop: rowGap }}>
        <DynamicView value={data.submitLabel} nameOf={names.variable} />
      </div>
    </>
  )
}

const isBlank = ({ label }: FormData['fields'][number]): boolean => label.type === 'static' && label.value === ''

export const face: BlockFace<FormData> = {
  icon: ClipboardList,
  height: (data, names) =>
    (isEmptyRichText(data.prompt) ? 0 : richTextHeight(data.prompt, PROMPT_LINES, names.variable) + rowGap) +
    Math.max(1, data.fields.length) * line +
    row,
  texts: (data) => [
    richCardText('prompt', !isEmptyRichText(data.prompt)),
    ...listCardTexts({
      name: 'fields',
      items: data.fields,
      most: counts.formFields,
      max: caps.formLabel,
      create: (id) => newFormField(() => id),
    }),
    lineCardText('submitLabel', caps.label),
  ],
  Component: FormFace,
}

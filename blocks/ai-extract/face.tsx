import { ScanText } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { listCardTexts } from '../../src/text/face/cardTexts'
import { FaceText } from '../../src/text/face/FaceText'
import { Chip } from '../../src/text/RichTextView'
import { type BlockFace, type FaceProps, faceMetrics } from '../../src/ui/blockFace'
import styles from './face.module.css'
import { type AiExtractData, extractCaps, newExtractedField } from './schema'

const SHOWN = 6
const { line } = faceMetrics

/** One line per field: what is extracted, and into which variable. */
function AiExtractFace({ data: { fields }, names }: FaceProps<AiExtractData>) {
  const { t } = useTranslation('blocks')
  if (fields.length === 0) {
    return (
      <FaceText lines={1} faint>
        {t('ai-extract.face.empty')}
      </FaceText>
    )
  }
  return (
    <>
      {fields.slice(0, SHOWN).map(({ id, name, type, saveTo }) => (
        <div key={id} className={styles.field} style={{ height: line }}>
          <span className={styles.name} data-text={id}>
            {name || t(`ai-extract.fields.fields-type.options.${type}`)}
          </span>
          {saveTo === null ? (
            <span className={styles.faint}>{t('ai-extract.face.unsaved')}</span>
          ) : (
            <span className={styles.variable}>
              <Chip name={names.variable(saveTo)} />
            </span>
          )}
        </div>
      ))}
      {fields.length > SHOWN && (
        <FaceText lines={1} faint>
          {t('ai-extract.face.more', { count: fields.length - SHOWN })}
        </FaceText>
      )}
    </>
  )
}

export const face: BlockFace<AiExtractData> = {
  icon: ScanText,
  height: ({ fields }) => line * Math.max(1, Math.min(SHOWN, fields.length) + (fields.length > SHOWN ? 1 : 0)),
  texts: ({ fields }) =>
    listCardTexts({
      name: 'fields',
      items: fields,
      most: extractCaps.fields,
      part: 'name',
      plain: true,
      max: extractCaps.name,
      isShown: (place) => place < SHOWN,
      create: (id) => newExtractedField(() => id),
    }),
  Component: AiExtractFace,
}

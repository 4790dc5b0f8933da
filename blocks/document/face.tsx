import { FileText } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { isBlankValue } from '../../engine/values/dynamicValue'
import { isFileUrl } from '../../engine/values/url'
import { FaceText } from '../../src/text/face/FaceText'
import { DynamicView } from '../../src/text/RichTextView'
import { type BlockFace, type FaceProps, faceMetrics } from '../../src/ui/blockFace'
import type { DocumentData } from './schema'

function DocumentFace({ data: { url, name }, names }: FaceProps<DocumentData>) {
  const { t } = useTranslation('blocks')
  const isEmpty = isBlankValue(url)
  const isUploaded = url.type === 'static' && isFileUrl(url.value.trim())
  return (
    <FaceText lines={1} faint={isEmpty}>
      {isEmpty ? (
        t('document.face.empty')
      ) : isBlankValue(name) && isUploaded ? (
        t('document.face.uploaded')
      ) : (
        <DynamicView value={isBlankValue(name) ? url : name} nameOf={names.variable} />
      )}
    </FaceText>
  )
}

export const face: BlockFace<DocumentData> = {
  icon: FileText,
  height: () => faceMetrics.line,
  Component: DocumentFace,
}

import { MessageSquareQuote } from 'lucide-react'
import { Trans, useTranslation } from 'react-i18next'
import { countSentenceLines } from '../../src/text/face/countLines'
import { FaceText } from '../../src/text/face/FaceText'
import { type BlockFace, type FaceNames, type FaceProps, faceMetrics } from '../../src/ui/blockFace'
import type { WhatsappTemplateData } from './schema'

const LINES = 3

function WhatsappTemplateFace({ data, names }: FaceProps<WhatsappTemplateData>) {
  const { t } = useTranslation('blocks')
  const { template } = data
  return (
    <FaceText lines={sentenceLines(data, names)} faint={template === null}>
      {template === null ? (
        t('whatsapp-template.face.empty')
      ) : (
        <Trans
          t={t}
          i18nKey="whatsapp-template.face.named"
          values={{ language: template.language }}
          components={{ value: <strong>{template.name}</strong> }}
        />
      )}
    </FaceText>
  )
}

const sentenceLines = ({ template }: WhatsappTemplateData, { text }: FaceNames): number =>
  template === null
    ? 1
    : countSentenceLines(
        text('whatsapp-template.face.named', { language: template.language }),
        { value: template.name },
        LINES,
      )

export const face: BlockFace<WhatsappTemplateData> = {
  icon: MessageSquareQuote,
  height: (data, names) => sentenceLines(data, names) * faceMetrics.line,
  Component: WhatsappTemplateFace,
}

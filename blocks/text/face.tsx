import { MessageSquare } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { richCardText } from '../../src/text/face/cardTexts'
import { FaceRichText, richTextHeight } from '../../src/text/face/FaceText'
import type { BlockFace, FaceProps } from '../../src/ui/blockFace'
import type { TextData } from './schema'

const LINES = 6

function TextFace({ data, names }: FaceProps<TextData>) {
  const { t } = useTranslation('blocks')
  return (
    <FaceRichText
      name="content"
      value={data.content}
      max={LINES}
      nameOf={names.variable}
      empty={t('text.face.empty')}
    />
  )
}

export const face: BlockFace<TextData> = {
  icon: MessageSquare,
  height: (data, names) => richTextHeight(data.content, LINES, names.variable),
  texts: () => [richCardText('content')],
  Component: TextFace,
}

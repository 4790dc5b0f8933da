import { Paperclip } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { richCardText } from '../../src/text/face/cardTexts'
import { FaceRichText, FaceText, richTextHeight } from '../../src/text/face/FaceText'
import { SavedTo } from '../../src/text/face/SavedTo'
import { type BlockFace, type FaceProps, faceMetrics } from '../../src/ui/blockFace'
import type { FileUploadData } from './schema'

const PROMPT_LINES = 4

function FileUploadFace({ data, names }: FaceProps<FileUploadData>) {
  const { t } = useTranslation('blocks')
  return (
    <>
      <FaceRichText
        name="prompt"
        value={data.prompt}
        max={PROMPT_LINES}
        nameOf={names.variable}
        empty={t('file-upload.face.empty')}
      />
      <FaceText lines={1} faint>
        {t(`file-upload.face.${data.accept}`, { count: data.maxCount })}
      </FaceText>
      {data.saveTo !== null && <SavedTo name={names.variable(data.saveTo)} />}
    </>
  )
}

export const face: BlockFace<FileUploadData> = {
  icon: Paperclip,
  height: (data, names) =>
    richTextHeight(data.prompt, PROMPT_LINES, names.variable) + faceMetrics.line * (data.saveTo === null ? 1 : 2),
  texts: () => [richCardText('prompt')],
  Component: FileUploadFace,
}

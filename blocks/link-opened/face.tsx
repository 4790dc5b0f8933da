import { Megaphone } from 'lucide-react'
import { Trans, useTranslation } from 'react-i18next'
import { countSentenceLines } from '../../src/text/face/countLines'
import { FaceText } from '../../src/text/face/FaceText'
import { type BlockFace, type FaceNames, type FaceProps, faceMetrics } from '../../src/ui/blockFace'
import type { LinkOpenedData } from './schema'

const LINES = 3

function LinkOpenedFace({ data, names }: FaceProps<LinkOpenedData>) {
  const { t } = useTranslation('blocks')
  const text = data.text.trim()
  return (
    <>
      {(text !== '' || !data.ads) && (
        <FaceText lines={textLines(data, names)} faint={text === ''}>
          {text === '' ? (
            t('link-opened.face.empty')
          ) : (
            <Trans t={t} i18nKey="link-opened.face.text" components={{ text: <strong>{text}</strong> }} />
          )}
        </FaceText>
      )}
      {data.ads && <FaceText lines={1}>{t('link-opened.face.ads')}</FaceText>}
    </>
  )
}

const textLines = ({ text }: LinkOpenedData, names: FaceNames): number =>
  text.trim() === '' ? 1 : countSentenceLines(names.text('link-opened.face.text', {}), { text: text.trim() }, LINES)

export const face: BlockFace<LinkOpenedData> = {
  icon: Megaphone,
  height: (data, names) =>
    ((data.text.trim() !== '' || !data.ads ? textLines(data, names) : 0) + (data.ads ? 1 : 0)) * faceMetrics.line,
  Component: LinkOpenedFace,
}

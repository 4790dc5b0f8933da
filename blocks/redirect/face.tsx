import { SquareArrowOutUpRight } from 'lucide-react'
import { Trans, useTranslation } from 'react-i18next'
import type { DynamicValue } from '../../engine/values/dynamicValue'
import { countSentenceLines, withChips } from '../../src/text/face/countLines'
import { FaceText } from '../../src/text/face/FaceText'
import { DynamicView } from '../../src/text/RichTextView'
import { type BlockFace, type FaceNames, type FaceProps, faceMetrics } from '../../src/ui/blockFace'
import type { RedirectData } from './schema'

const LINES = 3

function RedirectFace({ data, names }: FaceProps<RedirectData>) {
  const { t } = useTranslation('blocks')
  if (isEmpty(data))
    return (
      <FaceText lines={1} faint>
        {t('redirect.face.empty')}
      </FaceText>
    )
  return (
    <FaceText lines={linesOf(data, names)}>
      <Trans
        t={t}
        i18nKey={sentenceOf(data)}
        components={{
          url: (
            <strong>
              <DynamicView value={withoutScheme(data.url)} nameOf={names.variable} />
            </strong>
          ),
        }}
      />
    </FaceText>
  )
}

const isEmpty = ({ url }: RedirectData): boolean => url.type === 'static' && url.value.trim() === ''

/** An address without its scheme. */
const withoutScheme = (url: DynamicValue): DynamicValue =>
  url.type === 'static' ? { ...url, value: url.value.replace(/^https?:\/\/(?:www\.)?|\/$/gi, '') } : url

const linesOf = (data: RedirectData, { variable, text }: FaceNames): number =>
  isEmpty(data)
    ? 1
    : countSentenceLines(text(sentenceOf(data)), { url: withChips(withoutScheme(data.url), variable) }, LINES)

const sentenceOf = ({ newTab }: RedirectData): string => (newTab ? 'redirect.face.newTab' : 'redirect.face.here')

export const face: BlockFace<RedirectData> = {
  icon: SquareArrowOutUpRight,
  height: (data, names) => linesOf(data, names) * faceMetrics.line,
  Component: RedirectFace,
}

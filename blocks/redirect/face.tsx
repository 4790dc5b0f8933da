import { SquareArrowOutUpRight } from 'lucide-react'
import { Trans, useTranslation } from 'react-i18next'
import type { DynamicValue } from '../../engine/values/dynamicValue'
import { countLines, withChips } from '../../src/text/face/countLines'
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
        i18nKey={data.newTab ? 'redirect.face.newTab' : 'redirect.face.here'}
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

/** An address as people read it. */
const withoutScheme = (url: DynamicValue): DynamicValue =>
  url.type === 'static' ? { ...url, value: url.value.replace(/^https?:\/\/(?:www\.)?|\/$/gi, '') } : url

/** The sentence's own words count as a few usual ones, since the language may be any. */
const linesOf = (data: RedirectData, names: FaceNames): number =>
  isEmpty(data)
    ? 1
    : countLines(
        `Opens ${withChips(withoutScheme(data.url), names.variable)}${data.newTab ? ' in a new tab' : ''}`,
        LINES,
      )

export const face: BlockFace<RedirectData> = {
  icon: SquareArrowOutUpRight,
  height: (data, names) => linesOf(data, names) * faceMetrics.line,
  Component: RedirectFace,
}

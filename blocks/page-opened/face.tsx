import { Globe } from 'lucide-react'
import { Trans, useTranslation } from 'react-i18next'
import { FaceText } from '../../src/text/face/FaceText'
import { type BlockFace, type FaceProps, faceMetrics } from '../../src/ui/blockFace'
import type { PageOpenedData } from './schema'

const SHOWN = 2

function PageOpenedFace({ data }: FaceProps<PageOpenedData>) {
  const { t } = useTranslation('blocks')
  const more = data.pages.length - SHOWN
  return (
    <>
      {data.pages.slice(0, SHOWN).map(({ id, rule, url }) => (
        <FaceText key={id} lines={1}>
          <Trans
            t={t}
            i18nKey={`page-opened.face.${rule}`}
            components={{ url: <strong>{url.trim() || t('page-opened.face.nothing')}</strong> }}
          />
        </FaceText>
      ))}
      {more > 0 && (
        <FaceText lines={1} faint>
          {t('page-opened.face.more', { count: more })}
        </FaceText>
      )}
      <FaceText lines={1} faint>
        {t(`page-opened.face.${data.shows}${data.delay > 0 ? 'After' : ''}`, { delay: data.delay })}
      </FaceText>
    </>
  )
}

export const face: BlockFace<PageOpenedData> = {
  icon: Globe,
  height: ({ pages }) => (Math.min(pages.length, SHOWN) + (pages.length > SHOWN ? 1 : 0) + 1) * faceMetrics.line,
  Component: PageOpenedFace,
}

import { UserCheck } from 'lucide-react'
import { Trans, useTranslation } from 'react-i18next'
import { countSentenceLines } from '../../src/text/face/countLines'
import { FaceText } from '../../src/text/face/FaceText'
import { type BlockFace, type FaceNames, type FaceProps, faceMetrics } from '../../src/ui/blockFace'
import type { ReturningUserData } from './schema'

function ReturningUserFace({ data, names }: FaceProps<ReturningUserData>) {
  const { t } = useTranslation('blocks')
  return (
    <FaceText lines={linesOf(data, names)}>
      {data.days === 0 ? (
        t('returning-user.face.any')
      ) : (
        <Trans t={t} i18nKey="returning-user.face.days" count={data.days} components={{ days: <strong /> }} />
      )}
    </FaceText>
  )
}

const linesOf = ({ days }: ReturningUserData, { text }: FaceNames): number =>
  days === 0 ? 1 : countSentenceLines(text('returning-user.face.days', { count: days }), {}, 2)

export const face: BlockFace<ReturningUserData> = {
  icon: UserCheck,
  height: (data, names) => linesOf(data, names) * faceMetrics.line,
  Component: ReturningUserFace,
}

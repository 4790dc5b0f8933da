import { UserCheck } from 'lucide-react'
import { Trans, useTranslation } from 'react-i18next'
import { countLines } from '../../src/text/face/countLines'
import { FaceText } from '../../src/text/face/FaceText'
import { type BlockFace, type FaceProps, faceMetrics } from '../../src/ui/blockFace'
import type { ReturningUserData } from './schema'

function ReturningUserFace({ data }: FaceProps<ReturningUserData>) {
  const { t } = useTranslation('blocks')
  return (
    <FaceText lines={linesOf(data)}>
      {data.days === 0 ? (
        t('returning-user.face.any')
      ) : (
        <Trans t={t} i18nKey="returning-user.face.days" count={data.days} components={{ days: <strong /> }} />
      )}
    </FaceText>
  )
}

/** The sentence as it is in English, since the language may be any. */
const linesOf = ({ days }: ReturningUserData): number =>
  days === 0 ? 1 : countLines(`When a visitor comes back after ${days} days or more`, 2)

export const face: BlockFace<ReturningUserData> = {
  icon: UserCheck,
  height: (data) => linesOf(data) * faceMetrics.line,
  Component: ReturningUserFace,
}

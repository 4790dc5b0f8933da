import { CornerUpRight } from 'lucide-react'
import { Trans, useTranslation } from 'react-i18next'
import { FaceText } from '../../src/text/face/FaceText'
import { type BlockFace, type FaceProps, faceMetrics } from '../../src/ui/blockFace'
import styles from './face.module.css'
import type { GoToData } from './schema'

function GoToFace({ data, names }: FaceProps<GoToData>) {
  const { t } = useTranslation('blocks')
  if (data.to === 'back') return <FaceText lines={1}>{t('go-to.face.back')}</FaceText>
  const isFlow = data.to === 'flow'
  if ((isFlow ? data.flowId : data.target) === null)
    return (
      <FaceText lines={1} faint>
        {t(isFlow ? 'go-to.face.emptyFlow' : 'go-to.face.empty')}
      </FaceText>
    )
  const title = isFlow
    ? names.flow
      ? names.flow(data.flowId ?? '')
      : t('go-to.face.anotherFlow')
    : names.group(data.target?.groupId ?? '')
  return (
    <FaceText lines={1}>
      {title === null ? (
        <span className={styles.gone}>{t('go-to.face.gone')}</span>
      ) : (
        <Trans
          t={t}
          i18nKey={isFlow ? 'go-to.face.flow' : data.comesBack ? 'go-to.face.visit' : 'go-to.face.target'}
          components={{ title: <strong>{title || t('go-to.face.untitled')}</strong> }}
        />
      )}
    </FaceText>
  )
}

export const face: BlockFace<GoToData> = { icon: CornerUpRight, height: () => faceMetrics.line, Component: GoToFace }

import { CornerUpRight } from 'lucide-react'
import { Trans, useTranslation } from 'react-i18next'
import { FaceText } from '../../src/text/face/FaceText'
import { type BlockFace, type FaceProps, faceMetrics } from '../../src/ui/blockFace'
import styles from './face.module.css'
import type { GoToData } from './schema'

function GoToFace({ data, names }: FaceProps<GoToData>) {
  const { t } = useTranslation('blocks')
  const title = data.target && names.group(data.target.groupId)
  return (
    <FaceText lines={1} faint={data.target === null}>
      {data.target === null ? (
        t('go-to.face.empty')
      ) : title === null ? (
        <span className={styles.gone}>{t('go-to.face.gone')}</span>
      ) : (
        <Trans
          t={t}
          i18nKey="go-to.face.target"
          components={{ title: <strong>{title || t('go-to.face.untitled')}</strong> }}
        />
      )}
    </FaceText>
  )
}

export const face: BlockFace<GoToData> = { icon: CornerUpRight, height: () => faceMetrics.line, Component: GoToFace }

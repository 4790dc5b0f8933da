import { RadioTower } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { FaceText } from '../../src/text/face/FaceText'
import { SavedTo } from '../../src/text/face/SavedTo'
import { type BlockFace, type FaceProps, faceMetrics } from '../../src/ui/blockFace'
import type { WebhookData } from './schema'

/** Saved values that are shown; a line counts the others. */
const SHOWN = 3
const savedOf = ({ mapping }: WebhookData) =>
  mapping.filter(({ path, variableId }) => path !== '' && variableId !== null)

function WebhookFace({ data, names }: FaceProps<WebhookData>) {
  const { t } = useTranslation('blocks')
  const saved = savedOf(data)
  return (
    <>
      <FaceText lines={1} faint>
        {t(`webhook.face.${data.answer}`)}
      </FaceText>
      {saved.slice(0, SHOWN).map(({ id, variableId }) => (
        <SavedTo key={id} name={names.variable(variableId ?? '')} />
      ))}
      {saved.length > SHOWN && (
        <FaceText lines={1} faint>
          {t('webhook.face.more', { count: saved.length - SHOWN })}
        </FaceText>
      )}
    </>
  )
}

export const face: BlockFace<WebhookData> = {
  icon: RadioTower,
  height: (data) => (1 + Math.min(savedOf(data).length, SHOWN + 1)) * faceMetrics.line,
  Component: WebhookFace,
}

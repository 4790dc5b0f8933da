import { MessageCircleQuestion } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { actionCaps } from '../../engine/values/caps'
import { plainCardText } from '../../src/text/face/cardTexts'
import { FaceText } from '../../src/text/face/FaceText'
import { type BlockFace, type FaceProps, faceMetrics } from '../../src/ui/blockFace'
import type { IntentData } from './schema'

const SHOWN = 2

const phrasesOf = ({ phrases }: IntentData) => phrases.filter(({ text }) => text.trim() !== '')

function IntentFace({ data }: FaceProps<IntentData>) {
  const { t } = useTranslation('blocks')
  const phrases = phrasesOf(data)
  const more = phrases.length - SHOWN
  return (
    <>
      <FaceText lines={1} name="name">
        <strong>{data.name.trim() || t('intent.face.unnamed')}</strong>
      </FaceText>
      {phrases.length === 0 && (
        <FaceText lines={1} faint>
          {t('intent.face.empty')}
        </FaceText>
      )}
      {phrases.slice(0, SHOWN).map(({ id, text }) => (
        <FaceText key={id} lines={1}>
          “{text}”
        </FaceText>
      ))}
      {more > 0 && (
        <FaceText lines={1} faint>
          {t('intent.face.more', { count: more })}
        </FaceText>
      )}
      {!data.global && (
        <FaceText lines={1} faint>
          {t('intent.face.named')}
        </FaceText>
      )}
    </>
  )
}

function linesOf(data: IntentData): number {
  const count = phrasesOf(data).length
  return 1 + Math.max(1, Math.min(count, SHOWN)) + (count > SHOWN ? 1 : 0) + (data.global ? 0 : 1)
}

export const face: BlockFace<IntentData> = {
  icon: MessageCircleQuestion,
  height: (data) => linesOf(data) * faceMetrics.line,
  texts: () => [plainCardText('name', actionCaps.name)],
  Component: IntentFace,
}

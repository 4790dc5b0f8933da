import { Headset } from 'lucide-react'
import { Trans, useTranslation } from 'react-i18next'
import { caps } from '../../engine/values/caps'
import { lineCardText, richCardText } from '../../src/text/face/cardTexts'
import { countSentenceLines, withChips } from '../../src/text/face/countLines'
import { FaceRichText, FaceText, isEmptyRichText, richTextHeight } from '../../src/text/face/FaceText'
import { DynamicView } from '../../src/text/RichTextView'
import { type BlockFace, type FaceNames, type FaceProps, faceMetrics } from '../../src/ui/blockFace'
import type { HandOffData } from './schema'

const TEAM_LINES = 2
const MESSAGE_LINES = 2

function HandOffFace({ data, names }: FaceProps<HandOffData>) {
  const { t } = useTranslation('blocks')
  return (
    <>
      <FaceText name="team" lines={teamLines(data, names)}>
        {isBlank(data) ? (
          t('hand-off.face.anyone')
        ) : (
          <Trans
            t={t}
            i18nKey="hand-off.face.team"
            components={{
              team: (
                <strong>
                  <DynamicView value={data.team} nameOf={names.variable} />
                </strong>
              ),
            }}
          />
        )}
      </FaceText>
      {!isEmptyRichText(data.message) && (
        <FaceRichText name="message" value={data.message} max={MESSAGE_LINES} nameOf={names.variable} empty="" />
      )}
    </>
  )
}

const isBlank = ({ team }: HandOffData): boolean => team.type === 'static' && team.value.trim() === ''

const teamLines = (data: HandOffData, names: FaceNames): number =>
  isBlank(data)
    ? 1
    : countSentenceLines(names.text('hand-off.face.team'), { team: withChips(data.team, names.variable) }, TEAM_LINES)

export const face: BlockFace<HandOffData> = {
  icon: Headset,
  height: (data, names) =>
    teamLines(data, names) * faceMetrics.line +
    (isEmptyRichText(data.message) ? 0 : richTextHeight(data.message, MESSAGE_LINES, names.variable)),
  texts: ({ message }) => {
    const team = lineCardText('team', caps.label)
    // in a new block, the message for visitors comes first
    return isEmptyRichText(message) ? [richCardText('message', false), team] : [team, richCardText('message')]
  },
  Component: HandOffFace,
}

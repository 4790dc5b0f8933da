import { Sparkles } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { isBlankValue } from '../../engine/values/dynamicValue'
import { countLines, withChips } from '../../src/text/face/countLines'
import { FaceText } from '../../src/text/face/FaceText'
import { SavedTo } from '../../src/text/face/SavedTo'
import { DynamicView } from '../../src/text/RichTextView'
import { type BlockFace, type FaceNames, type FaceProps, faceMetrics } from '../../src/ui/blockFace'
import type { AiAnswerData } from './schema'

const QUESTION_LINES = 2
const INSTRUCTION_LINES = 2

function AiAnswerFace({ data, names }: FaceProps<AiAnswerData>) {
  const { t } = useTranslation('blocks')
  const { source, question, instructions, saveTo } = data
  return (
    <>
      <FaceText lines={1}>{t(`ai-answer.face.${source}`)}</FaceText>
      {shows(question) && (
        <FaceText lines={lines(question, QUESTION_LINES, names)}>
          <DynamicView value={question} nameOf={names.variable} />
        </FaceText>
      )}
      {shows(instructions) && (
        <FaceText lines={lines(instructions, INSTRUCTION_LINES, names)} faint>
          <DynamicView value={instructions} nameOf={names.variable} />
        </FaceText>
      )}
      {saveTo !== null && <SavedTo name={names.variable(saveTo)} />}
    </>
  )
}

const shows = (text: AiAnswerData['question']): boolean => !isBlankValue(text)

const lines = (text: AiAnswerData['question'], max: number, names: FaceNames): number =>
  countLines(withChips(text, names.variable), max)

export const face: BlockFace<AiAnswerData> = {
  icon: Sparkles,
  height: (data, names) =>
    (1 +
      (shows(data.question) ? lines(data.question, QUESTION_LINES, names) : 0) +
      (shows(data.instructions) ? lines(data.instructions, INSTRUCTION_LINES, names) : 0) +
      (data.saveTo !== null ? 1 : 0)) *
    faceMetrics.line,
  Component: AiAnswerFace,
}

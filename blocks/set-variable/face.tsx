import { Variable } from 'lucide-react'
import { Trans, useTranslation } from 'react-i18next'
import { chipOf, countSentenceLines, withChips } from '../../src/text/face/countLines'
import { FaceText } from '../../src/text/face/FaceText'
import { Chip, DynamicView } from '../../src/text/RichTextView'
import { type BlockFace, type FaceNames, type FaceProps, faceMetrics } from '../../src/ui/blockFace'
import { takesItem } from './modes'
import type { SetVariableData } from './schema'

const LINES = 3

function SetVariableFace({ data, names }: FaceProps<SetVariableData>) {
  const { t } = useTranslation('blocks')
  if (data.variableId === null)
    return (
      <FaceText lines={1} faint>
        {t('set-variable.face.empty')}
      </FaceText>
    )
  const isBlank = data.value.type === 'static' && data.value.value === ''
  return (
    <FaceText lines={linesOf(data, names)}>
      <Trans
        t={t}
        i18nKey={`set-variable.face.${sentenceOf(data)}`}
        components={{
          variable: <Chip name={names.variable(data.variableId)} />,
          item: <Chip name={data.takeTo === null ? null : names.variable(data.takeTo)} />,
          value: (
            <strong>
              {isBlank ? t('set-variable.face.nothing') : <DynamicView value={data.value} nameOf={names.variable} />}
            </strong>
          ),
        }}
      />
    </FaceText>
  )
}

function sentenceOf({ mode, takeTo }: SetVariableData): string {
  if (takeTo === null || !takesItem(mode)) return mode
  return mode === 'take-first' ? 'takeFirstTo' : 'takeLastTo'
}

function linesOf(data: SetVariableData, { variable, text }: FaceNames): number {
  if (data.variableId === null) return 1
  const parts = {
    variable: chipOf(variable(data.variableId)),
    item: chipOf(data.takeTo === null ? null : variable(data.takeTo)),
    value: withChips(data.value, variable) || text('set-variable.face.nothing'),
  }
  return countSentenceLines(text(`set-variable.face.${sentenceOf(data)}`), parts, LINES)
}

export const face: BlockFace<SetVariableData> = {
  icon: Variable,
  height: (data, names) => linesOf(data, names) * faceMetrics.line,
  Component: SetVariableFace,
}

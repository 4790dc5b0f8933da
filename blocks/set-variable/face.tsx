import { Variable } from 'lucide-react'
import { Trans, useTranslation } from 'react-i18next'
import { chipOf, countLines, withChips } from '../../src/text/face/countLines'
import { FaceText } from '../../src/text/face/FaceText'
import { Chip, DynamicView } from '../../src/text/RichTextView'
import { type BlockFace, type FaceNames, type FaceProps, faceMetrics } from '../../src/ui/blockFace'
import { needsValue, takesItem } from './modes'
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

/** The sentence's own words count as a few usual ones, since the language may be any. */
function linesOf(data: SetVariableData, names: FaceNames): number {
  if (data.variableId === null) return 1
  const rest = takesItem(data.mode)
    ? `the first item ${data.takeTo === null ? 'out' : chipOf(names.variable(data.takeTo))}`
    : needsValue(data.mode)
      ? withChips(data.value, names.variable)
      : 'the time now'
  return countLines(`Append ${rest} to ${chipOf(names.variable(data.variableId))}`, LINES)
}

export const face: BlockFace<SetVariableData> = {
  icon: Variable,
  height: (data, names) => linesOf(data, names) * faceMetrics.line,
  Component: SetVariableFace,
}

import { Split } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { type Comparison, finishedComparisons, needsValue } from '../../engine/values/comparison'
import { chipOf, countLines, withChips } from '../../src/text/face/countLines'
import { operatorText } from '../../src/text/operatorText'
import { Chip, DynamicView } from '../../src/text/RichTextView'
import { type BlockFace, type FaceNames, type FaceProps, faceMetrics } from '../../src/ui/blockFace'
import styles from './face.module.css'
import type { Branch, ConditionData } from './schema'

const LINES = 3
/** vertical padding and border of a row */
const INSET = 4
const { line, rowGap } = faceMetrics

function ConditionFace({ data, names }: FaceProps<ConditionData>) {
  return data.branches.map((branch, index) => {
    const lines = linesOf(branch, names)
    return (
      <div
        key={branch.id}
        className={styles.branch}
        style={{ height: lines * line + 2 * INSET, marginTop: index === 0 ? 0 : rowGap }}
      >
        <div className={styles.words} style={{ WebkitLineClamp: lines, height: lines * line }}>
          <BranchWords branch={branch} names={names} />
        </div>
      </div>
    )
  })
}

/** "Score is greater than 10 and Name is set" */
function BranchWords({ branch, names }: { branch: Branch; names: FaceNames }) {
  const { t } = useTranslation(['blocks', 'text'])
  const finished = finishedComparisons(branch)
  if (finished.length === 0) return <span className={styles.unfinished}>{t('condition.face.unfinished')}</span>
  return finished.map((comparison, index) => (
    <span key={comparison.id}>
      {index > 0 && <span className={styles.joint}> {t(`condition.face.${branch.match}`)} </span>}
      <ComparisonWords comparison={comparison} names={names} />
    </span>
  ))
}

function ComparisonWords({ comparison, names }: { comparison: Comparison; names: FaceNames }) {
  const { t } = useTranslation(['blocks', 'text'])
  const { subject, operator, value } = comparison
  const shown = isBlank(comparison) ? (
    t('condition.face.nothing')
  ) : (
    <DynamicView value={value} nameOf={names.variable} />
  )
  if (subject === 'expression') return <span className={styles.value}>{shown}</span>
  return (
    <>
      {subject === 'language' ? (
        t('condition.face.language')
      ) : (
        <Chip name={names.variable(comparison.variableId ?? '')} path={comparison.path} />
      )}{' '}
      {t(operatorText(subject === 'language' ? 'equals' : operator))}
      {(subject === 'language' || needsValue(operator)) && (
        <>
          {' '}
          <span className={styles.value}>{shown}</span>
        </>
      )}
    </>
  )
}

const isBlank = ({ value }: Comparison): boolean => value.type === 'static' && value.value === ''

function linesOf(branch: Branch, { variable, text }: FaceNames): number {
  const words = finishedComparisons(branch).map((comparison) => {
    const { subject, operator, value, variableId, path } = comparison
    const shown = isBlank(comparison) ? text('condition.face.nothing') : withChips(value, variable)
    if (subject === 'expression') return shown
    if (subject === 'language') return `${text('condition.face.language')} ${text(operatorText('equals'))} ${shown}`
    const chip = chipOf(variable(variableId ?? ''), path)
    return `${chip} ${text(operatorText(operator))}${needsValue(operator) ? ` ${shown}` : ''}`
  })
  return countLines(words.join(` ${text(`condition.face.${branch.match}`)} `), LINES, faceMetrics.width - 2 * 9)
}

const heightOf = (branch: Branch, names: FaceNames): number => linesOf(branch, names) * line + 2 * INSET

export const face: BlockFace<ConditionData> = {
  icon: Split,
  height: ({ branches }, names) =>
    branches.reduce((sum, branch) => sum + heightOf(branch, names) + rowGap, 0) - (branches.length > 0 ? rowGap : 0),
  rows({ branches }, names) {
    let top = 0
    return branches.map((branch) => {
      const height = heightOf(branch, names)
      const y = top + height / 2
      top += height + rowGap
      return { id: branch.id, y }
    })
  },
  Component: ConditionFace,
}

import { Shuffle } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { SavedTo } from '../../src/text/face/SavedTo'
import { type BlockFace, type FaceProps, faceMetrics } from '../../src/ui/blockFace'
import styles from './face.module.css'
import { type AbSplitData, nameOf } from './schema'

const { line, row, rowGap } = faceMetrics

function AbSplitFace({ data, names }: FaceProps<AbSplitData>) {
  const { t } = useTranslation('blocks')
  return (
    <>
      {data.paths.map((path, index) => (
        <div
          key={path.id}
          className={styles.path}
          style={{ height: row, marginTop: index === 0 ? 0 : rowGap, ['--share' as string]: `${path.percent}%` }}
        >
          <span className={styles.name}>{nameOf(path, index)}</span>
          <span className={styles.percent}>{t('ab-split.face.percent', { percent: path.percent })}</span>
        </div>
      ))}
      {data.saveTo !== null && (
        <div style={{ marginTop: rowGap }}>
          <SavedTo name={names.variable(data.saveTo)} />
        </div>
      )}
    </>
  )
}

export const face: BlockFace<AbSplitData> = {
  icon: Shuffle,
  height: ({ paths, saveTo }) =>
    Math.max(row, paths.length * (row + rowGap) - rowGap) + (saveTo === null ? 0 : rowGap + line),
  rows: ({ paths }) => paths.map(({ id }, index) => ({ id, y: index * (row + rowGap) + row / 2 })),
  Component: AbSplitFace,
}

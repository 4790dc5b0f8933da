import { EdgeLabelRenderer } from '@xyflow/react'
import { useShallow } from 'zustand/react/shallow'
import { useCanvasState } from './context'
import styles from './MarkBadges.module.css'
import { marksOf } from './markLists'
import type { Mark, MarkLayer } from './marks'
import { toneSign } from './overviewDrawing'

interface MarkBadgesProps {
  of: keyof MarkLayer
  id: string
  place: 'group' | 'block' | 'port'
  /** CSS, if the place alone does not determine it: a port's line */
  top?: string | number | undefined
}

/** All sources' marks of a group, a block or a port, side by side in its corner. */
export function MarkBadges({ of, id, place, top }: MarkBadgesProps) {
  const marks = useMarks(of, id)
  if (marks.length === 0) return null
  return (
    <span className={styles.badges} data-place={place} style={{ top }}>
      {marks.map((mark) => (
        <Badge key={`${mark.tone} ${mark.label}`} mark={mark} />
      ))}
    </span>
  )
}

/** At an edge's middle. */
export function EdgeBadges({ marks, x, y }: { marks: readonly Mark[]; x: number; y: number }) {
  if (marks.length === 0) return null
  return (
    <EdgeLabelRenderer>
      <span
        className={styles.badges}
        data-place="edge"
        style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}
      >
        {marks.map((mark) => (
          <Badge key={`${mark.tone} ${mark.label}`} mark={mark} />
        ))}
      </span>
    </EdgeLabelRenderer>
  )
}

export const useMarks = (of: keyof MarkLayer, id: string): readonly Mark[] =>
  useCanvasState(useShallow(({ marks }) => marksOf(marks, of, id)))

/** The symbol distinguishes tones without colour. */
function Badge({ mark }: { mark: Mark }) {
  return (
    <span className={styles.badge} data-tone={mark.tone} role="img" aria-label={mark.label} title={mark.label}>
      {mark.tone !== 'heat' && toneSign[mark.tone]}
      {mark.text && <span>{mark.text}</span>}
    </span>
  )
}

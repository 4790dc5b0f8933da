import type { ReactNode } from 'react'
import { isChip, type RichText } from '../../../engine/values/richText'
import { faceMetrics } from '../../ui/blockFace'
import { type NameOf, RichTextView } from '../RichTextView'
import { countRichTextLines } from './countLines'
import styles from './face.module.css'

/** Text of so many lines, no more and no less. `faint`: nothing is there yet, and this says what to do. */
export function FaceText({ lines, faint, children }: { lines: number; faint?: boolean; children: ReactNode }) {
  return (
    <div
      className={styles.text}
      data-faint={faint || undefined}
      style={{ height: lines * faceMetrics.line, WebkitLineClamp: lines }}
    >
      {children}
    </div>
  )
}

export const isEmptyRichText = (value: RichText): boolean =>
  value.every(({ children }) => children.every((child) => child.text.trim() === '' && !isChip(child)))

/** Height of `FaceRichText`. */
export const richTextHeight = (value: RichText, max: number): number =>
  faceMetrics.line * (isEmptyRichText(value) ? 1 : countRichTextLines(value, max))

/** A rich text of at most `max` lines, or one faint line that says what is missing. */
export function FaceRichText(props: { value: RichText; max: number; nameOf: NameOf; empty: string }) {
  if (isEmptyRichText(props.value))
    return (
      <FaceText lines={1} faint>
        {props.empty}
      </FaceText>
    )
  return (
    <FaceText lines={countRichTextLines(props.value, props.max)}>
      <RichTextView value={props.value} nameOf={props.nameOf} />
    </FaceText>
  )
}

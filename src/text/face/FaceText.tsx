import type { ReactNode } from 'react'
import { isChip, type RichText } from '../../../engine/values/richText'
import { faceMetrics } from '../../ui/blockFace'
import { type NameOf, RichTextView } from '../RichTextView'
import { CHARACTERS_A_LINE, countRichTextLines } from './countLines'
import styles from './face.module.css'

/** Text with a fixed number of lines. `faint`: a placeholder. `name`: the key of the text edited here. */
export function FaceText(props: { lines: number; faint?: boolean; name?: string | undefined; children: ReactNode }) {
  const { lines, faint, name, children } = props
  return (
    <div
      className={styles.text}
      data-text={name}
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
export const richTextHeight = (value: RichText, max: number, nameOf: NameOf): number =>
  faceMetrics.line * (isEmptyRichText(value) ? 1 : countRichTextLines(value, max, nameOf))

/** A rich text of at most `max` lines, or a faint placeholder. `name` is its key among the card's texts. */
export function FaceRichText(props: { name: string; value: RichText; max: number; nameOf: NameOf; empty: string }) {
  if (isEmptyRichText(props.value))
    return (
      <FaceText name={props.name} lines={1} faint>
        {props.empty}
      </FaceText>
    )
  const lines = countRichTextLines(props.value, props.max, props.nameOf)
  return (
    <FaceText name={props.name} lines={lines}>
      <RichTextView value={beginning(props.value, lines)} nameOf={props.nameOf} />
    </FaceText>
  )
}

/**
 * Truncates to slightly more than fits, so that an ellipsis appears, and rendering a long text costs no more than a
 * short one.
 */
function beginning(value: RichText, lines: number): RichText {
  let room = lines * CHARACTERS_A_LINE
  return value.slice(0, lines + 1).map((paragraph) => ({
    ...paragraph,
    children: paragraph.children.flatMap((child) => {
      const left = room
      room -= Math.max(1, child.text.length)
      if (left <= 0) return []
      return isChip(child) ? [child] : [{ ...child, text: child.text.slice(0, left) }]
    }),
  }))
}

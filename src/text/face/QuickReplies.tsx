import type { InputFields } from '../../../engine/flow/inputFields'
import { caps, counts } from '../../../engine/values/caps'
import { dynamicValueToString, staticValue } from '../../../engine/values/dynamicValue'
import { faceMetrics } from '../../ui/blockFace'
import { DynamicView, type NameOf } from '../RichTextView'
import { listCardTexts } from './cardTexts'
import styles from './face.module.css'

/** px of a line for replies; the rest is for the number of hidden ones */
const ROOM = faceMetrics.width - 24

/**
 * How many fit on the line by average character widths, with variables of fixed width; at least one, truncated if
 * necessary.
 */
function countShown(replies: InputFields['quickReplies']): number {
  let used = 0
  const fitting = replies.findIndex(({ label }) => {
    used += dynamicValueToString(label, () => '_').length * 6.4 + 20
    return used > ROOM
  })
  return fitting < 0 ? replies.length : Math.max(1, fitting)
}

/** Height of `QuickReplies`. */
export const quickRepliesHeight = (replies: InputFields['quickReplies']): number =>
  replies.length === 0 ? 0 : faceMetrics.line + faceMetrics.rowGap

/** Their labels, for `BlockFace.texts`. */
export function quickReplyTexts(replies: InputFields['quickReplies']) {
  const shown = countShown(replies)
  return listCardTexts({
    name: 'quickReplies',
    items: replies,
    most: counts.quickReplies,
    max: caps.quickReply,
    isShown: (place) => place < shown,
    create: (id) => ({ id, label: staticValue('') }),
  })
}

/** One line of quick replies: the first ones, and how many more there are. */
export function QuickReplies({ replies, nameOf }: { replies: InputFields['quickReplies']; nameOf: NameOf }) {
  if (replies.length === 0) return null
  const shown = countShown(replies)
  return (
    <div className={styles.replies} style={{ height: faceMetrics.line, marginTop: faceMetrics.rowGap }}>
      {replies.slice(0, shown).map(({ id, label }) => (
        <span key={id} className={styles.reply} data-text={id}>
          <DynamicView value={label} nameOf={nameOf} />
        </span>
      ))}
      {replies.length > shown && <span className={styles.more}>+{replies.length - shown}</span>}
    </div>
  )
}

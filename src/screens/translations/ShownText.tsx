import type { VisitorText } from '../../../engine/translations/translation'
import type { VariableNames } from '../../../engine/translations/variableNames'
import { DynamicView, RichTextView } from '../../text/RichTextView'

/** A text to look at, with its chips and marks. */
export function ShownText({ value, names }: { value: VisitorText; names: VariableNames }) {
  const nameOf = (id: string) => {
    const name = names.nameOf(id)
    return name.startsWith('#') ? null : name
  }
  return Array.isArray(value) ? (
    <RichTextView value={value} nameOf={nameOf} />
  ) : (
    <DynamicView value={value} nameOf={nameOf} />
  )
}

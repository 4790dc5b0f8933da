import { useMemo } from 'react'
import type { DynamicValue } from '../../../engine/values/dynamicValue'
import type { RichText } from '../../../engine/values/richText'
import { RichTextEditor } from '../RichTextEditor'
import { DynamicControl } from './DynamicControl'
import { errorId, FieldFrame } from './FieldFrame'
import { useField, useForm } from './formContext'

/** A rich text of the block; `name` is one of the kind's `richTexts`. */
export function RichTextField({ name, max }: { name: string; max: number }) {
  const field = useField<RichText | undefined>(name)
  const { blockId, document } = useForm()
  return (
    <FieldFrame field={field}>
      <RichTextEditor
        value={field.value ?? []}
        text={document.text(blockId, name)}
        place={field.place}
        undo={document.undo}
        label={field.label}
        max={max}
        placeholder={field.placeholder}
        readOnly={field.readOnly}
        error={field.error}
        describedBy={errorId(field.id)}
      />
    </FieldFrame>
  )
}

/** A dynamic value: one or several lines of text with variables. An absent value is empty. */
export function DynamicField(props: {
  name: string
  max: number
  multiline?: boolean
  hiddenLabel?: boolean
  /** whether the project's secrets can be inserted */
  secrets?: boolean
  /** replaces the field's own texts if they depend on another field */
  label?: string
  placeholder?: string
}) {
  const field = useField<DynamicValue | undefined>(props.name)
  const { label = field.label, placeholder = field.placeholder } = props
  const named = useMemo(() => ({ ...field, label, placeholder }), [field, label, placeholder])
  return (
    <FieldFrame field={named} hidden={props.hiddenLabel}>
      <DynamicControl field={named} max={props.max} multiline={props.multiline} secrets={props.secrets} />
    </FieldFrame>
  )
}

import { useMemo } from 'react'
import { type DynamicValue, staticValue } from '../../../engine/values/dynamicValue'
import { DynamicInput } from '../DynamicInput'
import { errorId } from './FieldFrame'
import { type Field, useForm } from './formContext'

/**
 * The input of every field with a dynamic value: a URL, an address, a number, an expression. An absent value is empty.
 */
export function DynamicControl({
  field,
  max,
  multiline = false,
  secrets = false,
}: {
  field: Field<DynamicValue | undefined>
  max: number
  multiline?: boolean | undefined
  /** whether the project's secrets can be inserted */
  secrets?: boolean | undefined
}) {
  const { document } = useForm()
  return useMemo(
    () => (
      <DynamicInput
        value={field.value ?? staticValue('')}
        onChange={(value) => document.commands.typing(() => field.set(value))}
        undo={document.undo}
        label={field.label}
        max={max}
        multiline={multiline}
        secrets={secrets}
        placeholder={field.placeholder}
        readOnly={field.readOnly}
        error={field.error}
        describedBy={errorId(field.id)}
      />
    ),
    [document, field, max, multiline, secrets],
  )
}

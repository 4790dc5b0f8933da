import { type DynamicValue, staticValue } from '../../../engine/values/dynamicValue'
import { DynamicInput } from '../DynamicInput'
import { errorId } from './FieldFrame'
import { type Field, useForm } from './formContext'

/** The one input of every field that holds a dynamic value: a URL, an address, a number, an expression. An absent value is an empty one. */
export function DynamicControl({
  field,
  max,
  multiline = false,
  secrets = false,
}: {
  field: Field<DynamicValue | undefined>
  max: number
  multiline?: boolean | undefined
  /** the project's secrets can stand in it */
  secrets?: boolean | undefined
}) {
  const { document } = useForm()
  return (
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
  )
}

import { TextField } from '../../ui/TextField'
import { errorId, FieldFrame } from './FieldFrame'
import { useField, useForm } from './formContext'

/** A line of plain text without variables: a name. */
export function LineField(props: { name: string; hiddenLabel?: boolean; placeholder?: string }) {
  const field = useField<string>(props.name)
  const { document } = useForm()
  return (
    <FieldFrame field={field} hidden={props.hiddenLabel}>
      <TextField
        id={field.id}
        aria-label={props.hiddenLabel ? field.label : undefined}
        value={field.value}
        placeholder={props.placeholder ?? field.placeholder}
        readOnly={field.readOnly}
        error={field.error !== undefined}
        aria-invalid={field.error !== undefined || undefined}
        aria-describedby={errorId(field.id)}
        onChange={(event) => {
          const next = event.currentTarget.value
          document.commands.typing(() => field.set(next))
        }}
      />
    </FieldFrame>
  )
}

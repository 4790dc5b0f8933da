import { errorId, FieldFrame } from '../../src/text/form/FieldFrame'
import { useField, useForm } from '../../src/text/form/formContext'
import { TextArea } from '../../src/ui/TextArea'

/** The response in a test that sends nothing. */
export function SampleAnswer() {
  const field = useField<string | undefined>('sample')
  const { document } = useForm()
  return (
    <FieldFrame field={field}>
      <TextArea
        id={field.id}
        value={field.value ?? ''}
        placeholder={field.placeholder}
        readOnly={field.readOnly}
        error={field.error !== undefined}
        aria-describedby={errorId(field.id)}
        maxRows={10}
        spellCheck={false}
        onChange={(event) => {
          const next = event.currentTarget.value
          document.commands.typing(() => field.set(next))
        }}
      />
    </FieldFrame>
  )
}

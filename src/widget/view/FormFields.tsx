/** @jsxImportSource preact */
import { useEffect, useRef, useState } from 'preact/hooks'
import { type ChatTexts, fill } from '../texts'
import css from './chat.module.css'
import { isEmail, isNumber, isPhone, isUrl, LONGEST, roomOf } from './checkEntry'
import { keyboardOf, useFocusWhenShown } from './Field'
import form from './form.module.css'
import type { InputProps } from './inputProps'

type Field = InputProps<'form'>['request']['fields'][number]
type Entry = string | string[]

/** Several questions at once. What is wrong is said at its field; what was entered stays. */
export function FormFields({ request, hidden, refusal, busy, texts, onSend }: InputProps<'form'>) {
  const { fields } = request
  const [values, setValues] = useState<Record<string, Entry>>(() =>
    Object.fromEntries(fields.flatMap(({ id, value }) => (value === undefined ? [] : [[id, value]]))),
  )
  const [problems, setProblems] = useState<Record<string, string>>(() =>
    Object.fromEntries(fields.flatMap(({ id, problem }) => (problem ? [[id, problem]] : []))),
  )
  const element = useRef<HTMLFormElement>(null)
  const focus = useRef<HTMLElement | null>(null)
  useEffect(() => {
    const find = (selector: string) => element.current?.querySelector<HTMLElement>(selector) ?? null
    focus.current = find('[aria-invalid]') ?? find('input, textarea, select')
  }, [])
  useFocusWhenShown(focus, hidden)

  function change(id: string, value: Entry): void {
    setValues({ ...values, [id]: value })
    setProblems(({ [id]: _, ...others }) => others)
  }

  function submit(): void {
    if (busy) return
    const found = Object.fromEntries(
      fields.flatMap((field) => {
        const problem = checkField(field, values[field.id] ?? '', texts)
        return problem ? [[field.id, problem]] : []
      }),
    )
    setProblems(found)
    const wrong = fields.find(({ id }) => found[id])
    if (wrong) {
      document.getElementById(idOf(wrong))?.focus()
      return
    }
    const filled = fields.filter(({ id }) => !isBlank(values[id] ?? ''))
    const label = filled.map((field) => `${field.label}: ${[values[field.id] ?? ''].flat().join(', ')}`).join('\n')
    onSend({ type: 'form', values: Object.fromEntries(filled.map(({ id }) => [id, values[id] ?? ''])) }, label)
  }

  const summary = refusal ?? (Object.keys(problems).length > 0 ? texts.fixErrors : null)
  return (
    <form
      ref={element}
      class={form.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <div class={form.fields}>
        {fields.map((field) => (
          <FormField
            key={field.id}
            field={field}
            value={values[field.id] ?? ''}
            problem={problems[field.id]}
            busy={busy}
            texts={texts}
            onChange={(value) => change(field.id, value)}
          />
        ))}
      </div>
      {summary && (
        <p class={css.problem} role="alert">
          {summary}
        </p>
      )}
      <button type="submit" class={css.primary} disabled={busy}>
        {request.submitLabel || texts.send}
      </button>
    </form>
  )
}

interface FieldProps {
  field: Field
  value: Entry
  problem: string | undefined
  busy: boolean
  texts: ChatTexts
  onChange: (value: Entry) => void
}

function FormField(props: FieldProps) {
  const { field, value, problem, texts } = props
  const id = idOf(field)
  const typed = typeof value === 'string' ? value.trim() : ''
  const most = field.maxLength ?? LONGEST
  const room = roomOf(typed.length, most)
  const label = (
    <>
      {field.label}
      {field.required ? (
        <span class={form.star} aria-hidden="true">
          {' *'}
        </span>
      ) : (
        <span class={form.optional}> {texts.optional}</span>
      )}
    </>
  )
  return (
    <div class={form.field}>
      {field.type === 'multiple' && (
        <fieldset
          id={id}
          tabIndex={-1}
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem && `${id}-problem`}
        >
          <legend>{label}</legend>
          <Boxes {...props} />
        </fieldset>
      )}
      {field.type === 'checkbox' && (
        <label class={form.box} for={id}>
          <Control {...props} />
          <span>{label}</span>
        </label>
      )}
      {field.type !== 'multiple' && field.type !== 'checkbox' && (
        <>
          <label for={id}>{label}</label>
          <Control {...props} />
        </>
      )}
      {room && (
        <p class={css.room} data-over={typed.length > most || undefined}>
          {room}
        </p>
      )}
      {problem && (
        <p id={`${id}-problem`} class={css.problem}>
          {problem}
        </p>
      )}
    </div>
  )
}

function Boxes({ field, value, busy, onChange }: FieldProps) {
  const chosen = [value].flat()
  return (
    <>
      {field.choices.map((choice) => (
        <label key={choice} class={form.box}>
          <input
            type="checkbox"
            checked={chosen.includes(choice)}
            disabled={busy}
            onChange={() => onChange(field.choices.filter((other) => (other === choice) !== chosen.includes(other)))}
          />
          <span>{choice}</span>
        </label>
      ))}
    </>
  )
}

function Control({ field, value, problem, busy, texts, onChange }: FieldProps) {
  const id = idOf(field)
  const entry = typeof value === 'string' ? value : (value[0] ?? '')
  const shared = {
    id,
    disabled: busy,
    'aria-invalid': problem ? true : undefined,
    'aria-describedby': problem ? `${id}-problem` : undefined,
    'aria-required': field.required,
  }
  const typed = {
    ...shared,
    class: css.field,
    value: entry,
    placeholder: field.placeholder,
    onInput: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  }
  switch (field.type) {
    case 'checkbox':
      return (
        <input
          {...shared}
          type="checkbox"
          checked={entry === 'true'}
          onChange={(event) => onChange(event.currentTarget.checked ? 'true' : '')}
        />
      )
    case 'select':
      return (
        <select {...shared} class={css.field} value={entry} onChange={(event) => onChange(event.currentTarget.value)}>
          <option value="">{field.placeholder || texts.choosePlaceholder}</option>
          {field.choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      )
    case 'long-text':
      return <textarea {...typed} rows={3} />
    case 'date':
      return <input {...typed} type="date" />
    default:
      return <input {...typed} {...keyboardOf({ input: field.type })} />
  }
}

/** What is plainly wrong, in the words of SPEC.md 5; the server's block has the last one. */
function checkField(field: Field, value: Entry, texts: ChatTexts): string | null {
  if (isBlank(value)) return field.required ? texts.required : null
  const entry = typeof value === 'string' ? value.trim() : ''
  const most = field.maxLength ?? LONGEST
  // SPEC.md 5 names the first length that is not taken
  if (entry.length > most) return fill(texts.tooLong, { n: most + 1 })
  if (field.type === 'email') return isEmail(entry) ? null : texts.invalidEmail
  if (field.type === 'phone') return isPhone(entry) ? null : texts.invalidPhone
  if (field.type === 'number') return isNumber(entry) ? null : texts.invalidNumber
  if (field.type === 'url') return isUrl(entry) ? null : texts.invalidUrl
  return null
}

const isBlank = (value: Entry): boolean => (typeof value === 'string' ? value.trim() === '' : value.length === 0)
const idOf = ({ id }: Field): string => `chat-field-${id}`

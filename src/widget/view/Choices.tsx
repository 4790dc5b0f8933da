/** @jsxImportSource preact */
import { useState } from 'preact/hooks'
import { isWebAddress, outward } from './address'
import css from './chat.module.css'
import type { InputProps } from './inputProps'

/** Options as buttons; several may be marked first where the flow allows it. An option with an address opens it. */
export function Choices(props: InputProps<'choice'>) {
  const { request, busy, texts, onSend } = props
  const [marked, mark] = useState<readonly string[]>([])

  function toggle(id: string): void {
    mark(marked.includes(id) ? marked.filter((other) => other !== id) : [...marked, id])
  }
  function sendMarked(): void {
    const chosen = request.options.filter((option) => marked.includes(option.id))
    onSend(
      { type: 'choice', optionIds: chosen.map((option) => option.id) },
      chosen.map((option) => option.label).join(', '),
    )
  }

  return (
    <fieldset class={css.choices}>
      <legend class={css.hidden}>{request.multiple ? texts.chooseSeveral : texts.choose}</legend>
      {request.options.map((option) => {
        if (option.url && isWebAddress(option.url)) {
          return (
            <a key={option.id} class={css.option} href={option.url} {...outward}>
              {option.label}
            </a>
          )
        }
        if (request.multiple) {
          return (
            <label key={option.id} class={`${css.option} ${marked.includes(option.id) ? css.marked : ''}`}>
              <input
                type="checkbox"
                checked={marked.includes(option.id)}
                disabled={busy}
                onChange={() => toggle(option.id)}
              />
              {option.label}
            </label>
          )
        }
        return (
          <button
            key={option.id}
            type="button"
            class={css.option}
            disabled={busy}
            onClick={() => onSend({ type: 'choice', optionIds: [option.id] }, option.label)}
          >
            {option.label}
          </button>
        )
      })}
      {request.multiple && (
        <button
          type="button"
          class={`${css.primary} ${css.sendMarked}`}
          disabled={busy || marked.length === 0}
          onClick={sendMarked}
        >
          {texts.send}
        </button>
      )}
    </fieldset>
  )
}

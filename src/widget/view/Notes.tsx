/** @jsxImportSource preact */
import type { ChatNote } from '../conversation'
import css from './notes.module.css'

/** What a tester is told between messages: a sentence each, with details for who opens it. */
export function Notes({ notes }: { notes: readonly ChatNote[] }) {
  return (
    <>
      {notes.map(({ id, text, marked, details, more }) => (
        <details key={id} class={css.note} data-marked={marked || undefined}>
          <summary>{text}</summary>
          <dl>
            {details.map(([label, value]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
          {more && (
            <button type="button" onClick={more.run}>
              {more.label}
            </button>
          )}
        </details>
      ))}
    </>
  )
}

import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { ChatMessage } from '../../server/contracts/chat'
import type { Debugger } from './debugger'
import css from './inspector.module.css'
import { messageLine } from './words'

/** The turns' messages; a click shows the conversation as it was after that turn. */
export function Turns({ bug }: { bug: Debugger }) {
  const { t } = useTranslation('preview')
  const debug = useStore(bug.store, (state) => state.debug)
  const messages = useStore(bug.store, (state) => state.messages)
  const lookingAt = useStore(bug.store, (state) => state.lookingAt)
  if (!debug) return <p className={css.empty}>{t('noPath')}</p>
  const newest = debug.turns.at(-1)?.turn
  return (
    <ol className={css.turns}>
      {debug.turns.map(({ turn, by, last_seq, took, set }, index) => {
        const from = debug.turns[index - 1]?.last_seq ?? 0
        const said = messages.filter(({ seq }) => seq > from && seq <= last_seq)
        const what =
          by === 'reply'
            ? t('turns.reply', { text: first(said, 2) })
            : by === 'edit'
              ? t('turns.edit', { names: Object.keys(set ?? {}).map((id) => debug.names[id] ?? id) })
              : t(`turns.${by}`)
        return (
          <li key={turn}>
            <button
              type="button"
              className={css.turn}
              aria-current={(lookingAt ?? newest) === turn ? 'step' : undefined}
              onClick={() => void bug.look(turn)}
            >
              <b>{turn + 1}</b>
              <span className={css.stepTitle}>{what}</span>
              {took !== null && <span className={css.stepGroup}>{t('card.took', { count: took })}</span>}
              <span className={css.stepNotes}>{first(said, 1)}</span>
            </button>
          </li>
        )
      })}
    </ol>
  )
}

/** The beginning of the author's first message. */
function first(said: readonly ChatMessage[], author: 1 | 2): string {
  const text = said.filter((message) => message.author === author).map(({ content }) => messageLine(content))
  return text.find((words) => words !== '')?.slice(0, 80) ?? ''
}

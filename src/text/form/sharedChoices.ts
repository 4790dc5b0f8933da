import type { ChoiceQuery, Choices } from '../../../server/contracts/integrations'

/** Asks for a list of a connection. */
export type AskChoices = (connection: string, query: ChoiceQuery, signal: AbortSignal) => Promise<Choices>
export type ListOf = Omit<ChoiceQuery, 'reload'> & { connection: string }

/** A list as far as it is known. `error`: why the last call failed; null: it did not. */
export interface ListState {
  answer: Choices | null
  error: { cause: unknown } | null
  isLoading: boolean
}

interface Entry {
  state: ListState
  watchers: Set<(state: ListState) => void>
  call: AbortController
}

const lists = new WeakMap<AskChoices, Map<string, Entry>>()

/**
 * Watches a list. Who watches the same list at the same time shares its calls: a form has fifty fields with the columns
 * of one table, and one that is reloaded is for all of them.
 * @param watch is told what is known at once, and at each change
 * @returns how to have it asked for anew, and how to leave; the last who leaves ends a call that is under way
 */
export function watchChoices(
  ask: AskChoices,
  of: ListOf,
  watch: (state: ListState) => void,
): { reload: () => void; leave: () => void } {
  const known = lists.get(ask) ?? new Map<string, Entry>()
  lists.set(ask, known)
  const { connection, ...query } = of
  const key = JSON.stringify([connection, query.list, query.within, query.search])
  const isNew = !known.has(key)
  const entry: Entry = known.get(key) ?? {
    state: { answer: null, error: null, isLoading: true },
    watchers: new Set(),
    call: new AbortController(),
  }
  known.set(key, entry)

  const tell = (state: ListState) => {
    entry.state = state
    for (const each of entry.watchers) each(state)
  }
  const load = (reload: boolean) => {
    entry.call.abort()
    const call = new AbortController()
    entry.call = call
    tell({ ...entry.state, isLoading: true })
    ask(connection, { ...query, reload }, call.signal).then(
      (answer) => call.signal.aborted || tell({ answer, error: null, isLoading: false }),
      (cause: unknown) => call.signal.aborted || tell({ ...entry.state, error: { cause }, isLoading: false }),
    )
  }

  entry.watchers.add(watch)
  if (isNew) load(false)
  else watch(entry.state)
  return {
    reload: () => load(true),
    leave: () => {
      entry.watchers.delete(watch)
      if (entry.watchers.size > 0) return
      entry.call.abort()
      known.delete(key)
    },
  }
}

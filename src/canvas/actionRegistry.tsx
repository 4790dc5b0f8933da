import type { LucideIcon } from 'lucide-react'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { createStore, type StoreApi } from 'zustand/vanilla'

/**
 * One thing that a person can do in the builder. The keyboard, the command palette, the sheet of keys and the context menu all read
 * this list: what is in it can be found and done in each of these ways.
 */
export interface Action {
  /** unique; the texts `actions.<id>` of the namespace `builder` say what it is called */
  id: string
  section: ActionSection
  /** chords that do it, the first is shown: `mod+d`, `shift+1`, `Alt+ArrowUp`, `?`; `mod` is Ctrl, or Cmd on a Mac */
  keys?: readonly string[]
  icon?: LucideIcon
  /** changes the flow: not there for who may only look */
  writes: boolean
  /** asked each time it is offered or called; there unless given */
  enabled?: () => boolean
  /** what it waits for while it is not enabled: the palette then says so instead of hiding it */
  needs?: Need
  /** where the canvas's context menu shows it: over a selection, over the empty canvas, or nowhere */
  menu?: 'selection' | 'canvas'
  danger?: boolean
  /** its keys are the browser's own (copy, cut, paste): they are shown, and the browser's event does it */
  native?: boolean
  /** where its keys do it: on the canvas alone, or, unless given, wherever one does not type */
  on?: 'canvas'
  /** its keys do it while one types as well */
  whileTyping?: boolean
  run: () => void
}

/** `needs.<need>` of the namespace `builder` says it */
export type Need =
  | 'content'
  | 'redo'
  | 'selection'
  | 'group'
  | 'block'
  | 'one'
  | 'twoGroups'
  | 'threeGroups'
  | 'place'
  | 'text'
  | 'published'
  | 'test'
  | 'paused'
  | 'underWay'
  | 'undo'
  | 'others'
  | 'following'

export const actionSections = ['edit', 'select', 'arrange', 'view', 'flow', 'panels', 'help'] as const
export type ActionSection = (typeof actionSections)[number]

type ActionStore = StoreApi<ReadonlyMap<object, readonly Action[]>>
const ActionsContext = createContext<ActionStore | null>(null)

/** Around everything that offers actions or shows them. */
export function ActionsProvider({ children }: { children: ReactNode }) {
  const [store] = useState<ActionStore>(() => createStore(() => new Map()))
  return <ActionsContext.Provider value={store}>{children}</ActionsContext.Provider>
}

/** Offers actions as long as the component lives. Give the same array as long as nothing of it changes. */
export function useProvideActions(actions: readonly Action[]): void {
  const store = useActionStore()
  useEffect(() => {
    const key = {}
    store.setState((all) => new Map(all).set(key, actions), true)
    return () => store.setState((all) => new Map([...all].filter(([other]) => other !== key)), true)
  }, [store, actions])
}

/** All that is offered now, in the order of the sections. */
export function useActionList(): readonly Action[] {
  return inOrder(useStore(useActionStore()))
}

/** Reads the same list when it is asked, without rendering again each time that it changes. */
export function useReadActions(): () => readonly Action[] {
  const store = useActionStore()
  return useCallback(() => inOrder(store.getState()), [store])
}

/** Whether it can be done now, by who may change the flow or only look. */
export const isOffered = ({ writes, enabled }: Action, readOnly: boolean): boolean =>
  !(writes && readOnly) && (enabled?.() ?? true)

function inOrder(all: ReadonlyMap<object, readonly Action[]>): readonly Action[] {
  const list = [...all.values()].flat()
  return actionSections.flatMap((section) => list.filter((action) => action.section === section))
}

function useActionStore(): ActionStore {
  const store = useContext(ActionsContext)
  if (!store) throw new Error('Actions need an ActionsProvider around them')
  return store
}

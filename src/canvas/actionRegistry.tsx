import type { LucideIcon } from 'lucide-react'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { createStore, type StoreApi } from 'zustand/vanilla'

/**
 * An action in the builder. Keyboard shortcuts, command palette, the sheet of keys and the context menu all read this
 * list, so every action is available in each of these ways.
 */
export interface Action {
  /** unique; its title is the text `actions.<id>` of the namespace `builder` */
  id: string
  section: ActionSection
  /** key chords, the first one is displayed: `mod+d`, `shift+1`, `Alt+ArrowUp`, `?`; `mod` is Ctrl, or Cmd on a Mac */
  keys?: readonly string[]
  icon?: LucideIcon
  /** changes the flow: not offered to viewers */
  writes: boolean
  /** evaluated when the action is offered or run; default: enabled */
  enabled?: () => boolean
  /** what is missing while it is disabled: the palette then shows this instead of hiding it */
  needs?: Need
  /** where the canvas's context menu shows it: over a selection, over the empty canvas, or nowhere */
  menu?: 'selection' | 'canvas'
  danger?: boolean
  /** the browser handles its keys (copy, cut, paste): they are only displayed */
  native?: boolean
  /** where its keys work: only on the canvas or, by default, anywhere outside text fields */
  on?: 'canvas'
  /** its keys work in text fields, too */
  whileTyping?: boolean
  run: () => void
}

/** the text `needs.<need>` of the namespace `builder` */
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

/** Provides the registry to components that offer or show actions. */
export function ActionsProvider({ children }: { children: ReactNode }) {
  const [store] = useState<ActionStore>(() => createStore(() => new Map()))
  return <ActionsContext.Provider value={store}>{children}</ActionsContext.Provider>
}

/** Registers actions while the component is mounted. Pass the same array while they are unchanged. */
export function useProvideActions(actions: readonly Action[]): void {
  const store = useActionStore()
  useEffect(() => {
    const key = {}
    store.setState((all) => new Map(all).set(key, actions), true)
    return () => store.setState((all) => new Map([...all].filter(([other]) => other !== key)), true)
  }, [store, actions])
}

/** All registered actions, in the order of the sections. */
export function useActionList(): readonly Action[] {
  return inOrder(useStore(useActionStore()))
}

/** Reads the same list on demand, without rendering on changes. */
export function useReadActions(): () => readonly Action[] {
  const store = useActionStore()
  return useCallback(() => inOrder(store.getState()), [store])
}

/** Whether an action is available now to an editor or a viewer. */
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

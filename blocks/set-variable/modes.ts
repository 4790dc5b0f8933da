import type { SetVariableData } from './schema'

type Mode = SetVariableData['mode']

const withValue: ReadonlySet<Mode> = new Set(['set', 'append', 'increment', 'expression'])

export const needsValue = (mode: Mode): boolean => withValue.has(mode)

/** Whether the mode moves an item from a list to another variable. */
export const takesItem = (mode: Mode): boolean => mode === 'take-first' || mode === 'take-last'

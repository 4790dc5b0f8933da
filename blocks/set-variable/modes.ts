import type { SetVariableData } from './schema'

type Mode = SetVariableData['mode']

const withValue: ReadonlySet<Mode> = new Set(['set', 'append', 'increment', 'expression'])

export const needsValue = (mode: Mode): boolean => withValue.has(mode)

/** Takes an item out of a list, for another variable. */
export const takesItem = (mode: Mode): boolean => mode === 'take-first' || mode === 'take-last'

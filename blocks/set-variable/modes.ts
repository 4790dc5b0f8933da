import type { SetVariableData } from './schema'

/** The modes that look at the value. */
export const needsValue = (mode: SetVariableData['mode']): boolean =>
  mode === 'set' || mode === 'append' || mode === 'increment'

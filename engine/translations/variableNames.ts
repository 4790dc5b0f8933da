import { systemVariables } from '../values/systemVariables'

/** Converts between variables' ids and their names in markup. */
export interface VariableNames {
  nameOf(variableId: string): string
  /** null: no variable has that name or id */
  idOf(name: string): string | null
}

/**
 * The names of a flow's variables and of system variables, ignoring case. A variable whose name an earlier one has, or
 * that is deleted, is written by its id: `#id`.
 */
export function variableNamesOf(variables: readonly { readonly id: string; readonly name: string }[]): VariableNames {
  const ids = new Map<string, string>()
  const names = new Map<string, string>()
  for (const { id, name } of [...variables, ...systemVariables]) {
    const key = name.trim().toLowerCase()
    if (ids.has(key) || key === '') continue
    ids.set(key, id)
    names.set(id, name)
  }
  return {
    nameOf: (id) => names.get(id) ?? `#${id}`,
    idOf: (name) => (name.startsWith('#') ? name.slice(1) : (ids.get(name.trim().toLowerCase()) ?? null)),
  }
}

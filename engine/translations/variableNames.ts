import { systemVariables } from '../values/systemVariables'

/** How variables are written in marked texts, and read again. */
export interface VariableNames {
  nameOf(variableId: string): string
  /** null: there is none of that name, or id */
  idOf(name: string): string | null
}

/**
 * The names of a flow's variables and of the system's, case aside. One whose name another one has before it, or that is gone, is written by
 * its id: `#id`.
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

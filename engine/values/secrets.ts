import { cleanText } from './cleanText'

/**
 * Project secrets (passwords, tokens, keys) in flows. A secret's chip is a variable chip with a reserved id, so that
 * texts, undo, clipboard and comparisons support it already. No session ever holds a value for it, so it prints as
 * nothing everywhere except in calls made by the server (engine/flow/httpSecrets.ts).
 */
export const secretCaps = { name: 50, value: 10_000, count: 200 } as const

/** Letters, digits, underscore. A secret can't be renamed, since flows, versions and exports refer to it by name. */
export const SECRET_NAME = /^[A-Za-z0-9_]{1,50}$/

const PREFIX = 'secret_'

/** The variable id of a secret's chip. */
export const secretIdOf = (name: string): string => `${PREFIX}${name}`

/** The name of the secret of a chip; null for a variable. */
export const secretNameOf = (variableId: string): string | null =>
  variableId.startsWith(PREFIX) ? variableId.slice(PREFIX.length) : null

/** The display name; no variable's name contains a full stop. */
export const secretLabel = (name: string): string => `secret.${name}`

/** The secrets that a project already has, for sealing. Plain data, which can be sent to worker threads. */
export interface PresentSecrets {
  names: readonly string[]
  /** known values with their names: an equal value gets no second name */
  values: readonly (readonly [value: string, name: string])[]
}

/**
 * Collects values that are sealed: `save` returns a value's name, an existing or a new one.
 * @returns `added`: the new names and values, still to be stored
 */
export function gatherSecrets({ names, values }: PresentSecrets) {
  const taken = new Set(names)
  const known = new Map(values)
  const added = new Map<string, string>()
  return {
    save(value: string, wanted: string): string {
      const fitted = cleanText(value)
      const present = known.get(fitted)
      if (present !== undefined) return present
      const name = freeSecretName(wanted, (candidate) => taken.has(candidate))
      taken.add(name)
      known.set(fitted, name)
      added.set(name, fitted)
      return name
    },
    added: added as ReadonlyMap<string, string>,
  }
}

/** A free name for a secret, such as `X_API_KEY` for `X-Api-Key`. */
export function freeSecretName(wanted: string, isTaken: (name: string) => boolean): string {
  const name = wanted
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, secretCaps.name - 5)
  for (let number = 1; ; number++) {
    const candidate = `${name || 'SECRET'}${number === 1 ? '' : `_${number}`}`
    if (!isTaken(candidate)) return candidate
  }
}

import { cleanText } from './cleanText'

/**
 * Secrets of a project (passwords, tokens, keys) as flows name them. A chip of a secret is that of a variable with a reserved id, so that
 * texts, undo, clipboard and comparisons know it already; no session ever holds a value for it, so that it prints as nothing everywhere
 * but in the calls that the server itself makes (engine/flow/httpSecrets.ts).
 */
export const secretCaps = { name: 50, value: 10_000, count: 200 } as const

/** Letters, digits, underscore; a secret keeps its name for ever, since flows, versions and exports refer to it by that. */
export const SECRET_NAME = /^[A-Za-z0-9_]{1,50}$/

const PREFIX = 'secret_'

/** The id by which chips name a secret. */
export const secretIdOf = (name: string): string => `${PREFIX}${name}`

/** The name of the secret that a chip stands for; null for a variable. */
export const secretNameOf = (variableId: string): string | null =>
  variableId.startsWith(PREFIX) ? variableId.slice(PREFIX.length) : null

/** As people read it; no variable's name has a full stop. */
export const secretLabel = (name: string): string => `secret.${name}`

/** What a project has already, for whoever moves values out of flows. Plain data, which threads can be given. */
export interface PresentSecrets {
  names: readonly string[]
  /** values that can be read, each with its name: the same value gets no second name */
  values: readonly (readonly [value: string, name: string])[]
}

/**
 * Gathers values that are moved out of flows: `save` tells a value's name at once, one that it has already or a new one.
 * @returns `added`: the values of the new names, which are still to be stored
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

/** A name for a secret that nobody named, such as `X_API_KEY` for `X-Api-Key`; one that is not taken. */
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
